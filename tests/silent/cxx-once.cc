// flags: -pthread

// call_once, from many threads and twice from each.
#include <mutex>
#include <thread>

static std::once_flag once;
static int made, seen[3];

static void use(int n)
{
	std::call_once(once, [] { made++; });
	seen[n] = made;
	std::call_once(once, [] { made++; });
}

int main()
{
	std::thread a(use, 0), b(use, 1), c(use, 2);

	a.join();
	b.join();
	c.join();
	return seen[0] + seen[1] + seen[2] != 3;
}
