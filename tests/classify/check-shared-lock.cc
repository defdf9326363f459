// flags: -pthread
// race A: verdict=k-witness-harmless pattern=double-check

// A cached value is looked at without the lock first; whoever does not see it asks again, with the lock.
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
