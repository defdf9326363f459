// expect: uncaught-exception
// at: last
// strategy: mixed random pct:3
// flags: -pthread

// The thread asks for the size under the lock and uses it under the lock, but it unlocks in between.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> queue{1, 2, 3};

static std::size_t size()
{
	std::lock_guard hold(lock);
	return queue.size();
}

static int last()
{
	std::size_t n = size();
	if (n == 0)
		return 0;
	std::lock_guard hold(lock);
	return queue.at(n - 1); /* HERE */
}

static void shrink()
{
	std::lock_guard hold(lock);
	if (!queue.empty())
		queue.pop_back();
}

int main()
{
	int seen = 0;
	std::thread reader([&] { seen = last(); });
	std::thread writer(shrink);

	reader.join();
	writer.join();
	std::printf("last was %d\n", seen);
}
