// flags: -pthread
// varies: the order of the lines
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* The last thread is stored and never read; both print their line in any order. */
#include <iostream>
#include <string>
#include <thread>

static int last;

static void work(int which)
{
	last = which; // race A
	std::cout << "worker " + std::to_string(which) + "\n";
}

int main()
{
	std::thread one(work, 1), two(work, 2);

	one.join();
	two.join();
	return 0;
}
