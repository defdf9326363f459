// flags: -pthread
// race A: verdict=output-differs

// The bars of a histogram keep their places; increments of their heights get lost.
#include <array>
#include <cstdio>
#include <thread>
#include <vector>

static std::array<int, 4> bars;

static void fill(int step)
{
	for (int i = 0; i < 4; i += step)
		bars[i]++; // race A
}

int main()
{
	std::vector<std::thread> threads;

	threads.emplace_back(fill, 1);
	threads.emplace_back(fill, 2);
	for (auto &thread : threads)
		thread.join();
	for (int bar : bars)
		std::printf("%d ", bar);
	std::printf("\n");
}
