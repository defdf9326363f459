// expect: uncaught-exception
// at: main
// strategy: mixed random pct:3
// flags: -pthread

// A cancelled worker ends without setting its promise, and get() throws where nobody catches.
#include <atomic>
#include <cstdio>
#include <future>
#include <thread>

int main()
{
	std::atomic<bool> cancelled{false};
	std::promise<int> promise;
	std::future<int> answer = promise.get_future();

	std::thread worker([&, mine = std::move(promise)]() mutable {
		if (!cancelled)
			mine.set_value(42);
	});
	std::thread canceller([&] { cancelled = true; });

	std::printf("%d\n", answer.get()); /* HERE */
	worker.join();
	canceller.join();
}
