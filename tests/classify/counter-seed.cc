// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=both-values-valid

// A shared generator of bad random numbers: it decides how often a thread yields, but not what the thread computes.
// Any number is as good as any other, and nothing is counted.
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

static unsigned seed = 1;

static void jitter()
{
	seed = seed * 1103515245u + 12345u; // race A B
	if (seed & 0x10000) // race B
		std::this_thread::yield();
}

int main()
{
	std::vector<int> sums(2);
	std::vector<std::thread> threads;

	for (int t = 0; t < 2; t++)
		threads.emplace_back([t, &sums] {
			for (int i = 0; i < 4; i++) {
				jitter();
				sums[t] += i;
			}
		});
	for (auto &thread : threads)
		thread.join();
	std::printf("%d\n", std::accumulate(sums.begin(), sums.end(), 0));
}
