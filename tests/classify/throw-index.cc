// flags: -pthread
// race A B: verdict=spec-violated consequence=uncaught-exception violation=uncaught-exception

// The page number goes beyond the last page, and back again.
#include <array>
#include <iostream>
#include <thread>

static const std::array<int, 3> pages = {1, 2, 3};
static volatile unsigned current = 2;

static void turn()
{
	current = current + 1; // race A
	if (current >= pages.size())
		current = 0; // race B
}

int main()
{
	int seen = 0;
	std::thread turner(turn);
	std::thread reader([&] {
		seen = pages.at(current); // race A B violation A B
	});

	turner.join();
	reader.join();
	std::cout << (seen > 0) << "\n";
}
