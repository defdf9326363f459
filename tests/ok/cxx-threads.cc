// flags: -std=c++17 -pthread

// The library of C++11 to C++17: threads, all forms of futures, timed and shared mutexes, condition_variable_any, call_once.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "must.h"

using namespace std::chrono_literals;

static void futures()
{
	auto later = std::async(std::launch::async, [] { return 6 * 7; });
	auto lazy = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
	must(later.get() == 42);
	must(lazy.wait_for(0s) == std::future_status::deferred);
	must(lazy.get() == std::this_thread::get_id());

	auto throws = std::async(std::launch::async, []() -> int { throw std::runtime_error("no answer"); });
	try {
		throws.get();
		must(!"reached");
	} catch (const std::runtime_error &e) {
		must(e.what() == std::string("no answer"));
	}

	std::promise<std::string> promise;
	std::shared_future<std::string> shared = promise.get_future().share();
	must(shared.wait_for(1ms) == std::future_status::timeout);
	std::vector<std::thread> readers;
	for (int i = 0; i < 3; i++)
		readers.emplace_back([shared] { must(shared.get() == "kept"); });
	promise.set_value("kept");
	for (auto &t : readers)
		t.join();

	std::packaged_task<int(int)> task([](int n) { return n + 1; });
	auto result = task.get_future();
	std::thread(std::move(task), 9).detach();
	must(result.get() == 10);

	std::future<int> broken;
	{
		std::promise<int> lost;
		broken = lost.get_future();
	}
	try {
		broken.get();
		must(!"reached");
	} catch (const std::future_error &e) {
		must(e.code() == std::future_errc::broken_promise);
	}
}

static void shared_mutexes()
{
	std::shared_timed_mutex mutex;
	std::vector<std::thread> threads;
	int value = 0;

	for (int i = 0; i < 2; i++) {
		threads.emplace_back([&] {
			for (int k = 0; k < 5; k++) {
				std::unique_lock hold(mutex);
				value++;
			}
		});
		threads.emplace_back([&] {
			for (int k = 0; k < 5; k++) {
				std::shared_lock hold(mutex);
				must(value <= 10);
			}
		});
	}
	for (auto &t : threads)
		t.join();
	must(value == 10);
	std::shared_lock hold(mutex);
	std::thread([&] { must(!mutex.try_lock_for(1ms)); must(mutex.try_lock_shared()); mutex.unlock_shared(); }).join();
}

static void conditions()
{
	std::shared_mutex mutex;
	std::condition_variable_any any;
	std::mutex plain;
	std::condition_variable one;
	int stage = 0;

	std::thread first([&] {
		std::shared_lock hold(mutex);
		any.wait(hold, [&] { return stage == 1; });
	});
	{
		std::unique_lock hold(mutex);
		stage = 1;
	}
	any.notify_all();
	first.join();

	std::unique_lock hold(plain);
	auto start = std::chrono::steady_clock::now();
	must(!one.wait_for(hold, 2ms, [] { return false; }));
	must(std::chrono::steady_clock::now() - start >= 2ms);
	must(one.wait_until(hold, std::chrono::system_clock::now() - 1s) == std::cv_status::timeout);
}

static void locks()
{
	std::mutex a, b;
	std::recursive_timed_mutex again;
	std::once_flag once;
	std::atomic<int> ran{0};
	std::vector<std::thread> threads;
	int both = 0;

	for (int i = 0; i < 4; i++)
		threads.emplace_back([&, i] {
			// std::scoped_lock avoids the AB-BA deadlock whatever the order of its arguments.
			if (i % 2) {
				std::scoped_lock hold(a, b);
				both++;
			} else {
				std::scoped_lock hold(b, a);
				both++;
			}
			std::unique_lock outer(again);
			std::unique_lock inner(again, 10s);
			must(inner.owns_lock());
			// The first attempt throws and leaves the flag unset for the next one.
			try {
				std::call_once(once, [&] {
					if (ran++ == 0)
						throw 1;
				});
			} catch (int) {
				std::call_once(once, [&] { ran++; });
			}
		});
	for (auto &t : threads)
		t.join();
	must(both == 4 && ran == 2);
}

int main()
{
	futures();
	std::puts("futures");
	shared_mutexes();
	std::puts("shared mutexes");
	conditions();
	std::puts("conditions");
	locks();
	std::puts("ok");
}
