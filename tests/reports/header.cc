// Threads add to a list at lines of their own; all of its accesses are in the library's header.
#include <cstdio>
#include <thread>
#include <vector>

static std::vector<int> list;

static void north() { list.push_back(1); }
static void south() { list.push_back(2); }
static void east()
{
	list.push_back(3);
	list.push_back(4);
}

int main()
{
	list.reserve(64);
	std::thread a(north), b(south), c(east);
	a.join();
	b.join();
	c.join();
	std::printf("%zu\n", list.size());
}
