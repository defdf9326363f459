// flags: -std=c++20 -pthread
// races: libstdc++ 12's atomic<shared_ptr>::load unlocks relaxed, so its read races with the next store

// C++20: jthread and stop tokens, atomic wait and notify, latch, barrier, semaphores.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

#include "must.h"

using namespace std::chrono_literals;

static void jthreads()
{
	std::atomic<int> rounds{0};
	std::atomic<bool> called{false};
	{
		std::jthread worker([&](std::stop_token stop) {
			std::stop_callback callback(stop, [&] { called = true; });
			while (!stop.stop_requested()) {
				rounds++;
				std::this_thread::yield();
			}
		});
		while (rounds == 0)
			std::this_thread::yield();
	}
	must(called);

	std::mutex mutex;
	std::condition_variable_any any;
	std::jthread waiter([&](std::stop_token stop) {
		std::unique_lock hold(mutex);
		must(!any.wait(hold, stop, [] { return false; }));
	});
	waiter.request_stop();
}

static void atomic_waits()
{
	std::atomic<int> turn{0};
	std::vector<std::jthread> threads;

	for (int i = 0; i < 3; i++)
		threads.emplace_back([&, i] {
			for (int round = 0; round < 3; round++) {
				for (int now = turn; now % 3 != i; now = turn)
					turn.wait(now);
				turn++;
				turn.notify_all();
			}
		});
	threads.clear();
	must(turn == 9);

	std::atomic_flag flag;
	std::jthread setter([&] {
		flag.test_and_set();
		flag.notify_one();
	});
	flag.wait(false);
	must(flag.test());
}

static void meeting_points()
{
	constexpr int parties = 4;
	std::latch ready(parties);
	int phases = 0;
	std::barrier barrier(parties, [&]() noexcept { phases++; });
	std::atomic<int> sum{0};
	{
		std::vector<std::jthread> threads;
		for (int i = 0; i < parties; i++)
			threads.emplace_back([&] {
				ready.arrive_and_wait();
				for (int phase = 1; phase <= 3; phase++) {
					sum++;
					barrier.arrive_and_wait();
					must(sum >= phase * parties && phases >= phase);
				}
				barrier.arrive_and_drop();
			});
	}
	must(ready.try_wait());
	must(phases >= 3 && sum == 3 * parties);
}

static void semaphores()
{
	std::counting_semaphore<5> places(2);
	std::binary_semaphore signal(0);
	std::atomic<int> inside{0};
	{
		std::vector<std::jthread> threads;
		for (int i = 0; i < 4; i++)
			threads.emplace_back([&] {
				places.acquire();
				must(++inside <= 2);
				inside--;
				places.release();
			});
	}
	must(!signal.try_acquire());
	must(!signal.try_acquire_for(1ms));
	std::jthread poster([&] { signal.release(); });
	signal.acquire();
}

static void shared_pointers()
{
	std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(0));
	{
		std::vector<std::jthread> threads;
		for (int i = 0; i < 3; i++)
			threads.emplace_back([&] {
				auto old = pointer.load();
				while (!pointer.compare_exchange_weak(old, std::make_shared<int>(*old + 1)))
					;
			});
	}
	must(*pointer.load() == 3);
}

int main()
{
	jthreads();
	std::puts("jthreads");
	atomic_waits();
	std::puts("atomic waits");
	meeting_points();
	std::puts("meeting points");
	semaphores();
	std::puts("semaphores");
	shared_pointers();
	std::puts("ok");
}
