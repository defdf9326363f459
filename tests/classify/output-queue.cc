// flags: -pthread
// race A: verdict=output-differs

// The queue has its lock; whether more will come has none, and a consumer that tests too early leaves with less.
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::deque<int> queue;
static bool more = true;

static bool take(int &item)
{
	std::lock_guard<std::mutex> hold(lock);

	if (queue.empty())
		return false;
	item = queue.front();
	queue.pop_front();
	return true;
}

int main()
{
	int taken = 0;
	std::thread producer([] {
		for (int i = 0; i < 2; i++) {
			std::lock_guard<std::mutex> hold(lock);
			queue.push_back(i);
		}
		more = false; // race A
	});
	std::thread consumer([&] {
		int item;
		for (int tries = 0; tries < 3 && more; tries++) // race A
			taken += take(item);
	});

	producer.join();
	consumer.join();
	std::printf("%d taken, %zu left\n", taken, queue.size());
}
