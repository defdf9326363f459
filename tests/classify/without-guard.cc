// flags: -pthread
// race A B: verdict=spec-violated consequence=uncaught-exception violation=uncaught-exception

// What if the reader had no guard? The page can be turned between the test and the read.
#include <array>
#include <iostream>
#include <mutex>
#include <thread>

static std::mutex lock;
static const std::array<int, 3> pages = {1, 2, 3};
static volatile unsigned current = 1;

static int look()
{
	std::lock_guard<std::mutex> hold(lock); // without
	if (current < pages.size())             // race A
		return pages.at(current);       // race B violation A B
	return 0;
}

int main()
{
	std::thread reader(look);
	std::thread turner([] {
		std::lock_guard<std::mutex> hold(lock);
		current = 9; // race A B
	});

	reader.join();
	turner.join();
	std::cout << "turned\n";
}
