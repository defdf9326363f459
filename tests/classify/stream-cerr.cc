// flags: -pthread
// varies: the order of the lines
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* One thread writes to standard error, the other to the same place through a stream of its own. */
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

static int last;

static void work(int which)
{
	std::string line = "worker " + std::to_string(which) + "\n";

	last = which; // race A
	if (which == 1)
		std::cerr << line;
	else
		std::fprintf(stderr, "%s", line.c_str());
}

int main()
{
	std::thread one(work, 1), two(work, 2);

	one.join();
	two.join();
	return 0;
}
