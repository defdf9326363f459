// flags: -pthread

// A queue of functions, each with its captured data, from one thread to another.
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::deque<std::function<int()>> queue;

int main()
{
	int sum = 0;
	std::thread worker([&] {
		for (int i = 0; i < 4; i++) {
			std::unique_lock hold(lock);
			changed.wait(hold, [] { return !queue.empty(); });
			auto job = std::move(queue.front());
			queue.pop_front();
			hold.unlock();
			sum += job();
		}
	});

	for (int i = 0; i < 4; i++) {
		auto data = std::make_shared<int>(i);
		std::lock_guard hold(lock);
		queue.push_back([data = std::move(data)] { return *data; });
		changed.notify_one();
	}
	worker.join();
	return sum != 6;
}
