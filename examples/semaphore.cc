// A correct program that can hang: six threads share a std::binary_semaphore of libstdc++ 12.  acquire() remembers the
// counter, spins, and then sleeps if the counter still has the remembered value.  If another thread takes and releases the
// semaphore meanwhile, the value is the same, and the thread sleeps although the semaphore is free (GCC PR 104928).
//
//   omen c++ -std=c++20 -g semaphore.cc -o semaphore -pthread && omen explore --runs 20000 -- ./semaphore
#include <semaphore>
#include <thread>
#include <vector>

static std::binary_semaphore place{1};
static int visits;

int main()
{
	std::vector<std::thread> threads;

	for (int i = 0; i < 6; i++)
		threads.emplace_back([] {
			for (int round = 0; round < 3; round++) {
				place.acquire();
				visits++;
				place.release();
			}
		});
	for (auto &t : threads)
		t.join();
	return visits != 18;
}
