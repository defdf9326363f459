// flags: -pthread -std=c++20

// request_stop is ordered before a stop that is seen and before its callback; jthread joins by itself.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static int reason, result, called;

int main()
{
	{
		std::jthread worker([](std::stop_token token) {
			std::stop_callback on_stop(token, [] { called += reason; });
			while (!token.stop_requested())
				std::this_thread::yield();
			result = reason;
		});
		std::jthread waiter([](std::stop_token token) {
			std::mutex lock;
			std::condition_variable_any never;
			std::unique_lock hold(lock);
			never.wait(hold, token, [] { return false; });
		});
		reason = 5;
		worker.request_stop();
	}
	return result != 5 || called != 5;
}
