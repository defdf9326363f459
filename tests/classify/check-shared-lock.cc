// flags: -pthread
// race A: verdict=k-witness-harmless pattern=double-check

// A thread reads a cached value without the lock first; if it does not see it, it reads again with the lock.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Cache {
	std::shared_mutex lock;
	int filled = 0;
	int fills = 0;

	void fill()
	{
		if (filled) // race A
			return;
		std::unique_lock<std::shared_mutex> hold(lock);
		if (filled)
			return;
		fills++;
		filled = 1; // race A
	}
};

int main()
{
	Cache cache;
	std::thread first(&Cache::fill, &cache), second(&Cache::fill, &cache);

	first.join();
	second.join();
	std::printf("%d fill\n", cache.fills);
}
