// outcomes: exit a1c | exit ac1 | exit ca1
// races: 0

/* What a thread prints by pieces through a stream of C++ is cut by what another one prints. */
#include <iostream>
#include <pthread.h>

static void *two(void *unused)
{
	std::cout << 'a' << 1;
	return unused;
}

static void *one(void *unused)
{
	std::cout << "c";
	return unused;
}

int main()
{
	pthread_t thread[2];

	pthread_create(&thread[0], nullptr, two, nullptr);
	pthread_create(&thread[1], nullptr, one, nullptr);
	pthread_join(thread[0], nullptr);
	pthread_join(thread[1], nullptr);
	return 0;
}
