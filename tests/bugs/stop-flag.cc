// expect: deadlock
// at: serve
// strategy: mixed random pct:3
// flags: -pthread

// The stop flag is atomic but set without the mutex: it changes after the worker's test and before its wait.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable wake;
static std::atomic<bool> stop{false};

static void serve()
{
	std::unique_lock hold(lock);
	while (!stop)
		wake.wait(hold); /* HERE */
}

int main()
{
	std::thread server(serve);
	std::thread stopper([] {
		stop = true;
		wake.notify_all();
	});

	server.join();
	stopper.join();
	std::puts("stopped");
}
