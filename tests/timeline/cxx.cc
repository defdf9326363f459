// flags: -pthread -std=c++20

/* The same operations by their C++ names, which another library implements. */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex lock;
static std::shared_mutex table;
static std::condition_variable changed;
static std::atomic<int> published;
static bool ready;

static void work()
{
	{
		std::unique_lock hold(lock);
		changed.wait(hold, [] { return ready; }); /* CONDITION */
	}
	{
		std::shared_lock hold(table); /* READ */
	}
	std::this_thread::sleep_for(std::chrono::milliseconds(1)); /* SLEEP */
	published.store(1);
	published.notify_one();
}

int main()
{
	std::thread worker(work); /* CREATE */
	std::this_thread::sleep_for(std::chrono::milliseconds(1));
	{
		std::lock_guard hold(lock);
		ready = true;
	}
	changed.notify_one();
	{
		std::unique_lock hold(table);
	}
	published.wait(0); /* WAIT */
	worker.join();
	return published - 1;
}
