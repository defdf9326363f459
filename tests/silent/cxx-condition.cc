// flags: -pthread

// condition_variable and condition_variable_any, with and without a time limit.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::condition_variable_any any;
static int ready, value;

int main()
{
	std::thread waiter([] {
		std::unique_lock hold(lock);
		changed.wait(hold, [] { return ready > 0; });
		value++;
	});
	std::thread timed([] {
		std::unique_lock hold(lock);
		any.wait_for(hold, std::chrono::seconds(1), [] { return ready > 0; });
		value++;
	});
	{
		std::lock_guard hold(lock);
		ready = 1;
	}
	changed.notify_one();
	any.notify_all();
	waiter.join();
	timed.join();
	return value != 2;
}
