// flags: -std=c++17 -pthread

// What belongs to a thread in C++: thread_local objects, statics that the first thread initialises, exceptions in flight.
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "must.h"

static std::atomic<int> built, destroyed, static_built;

struct Local {
	std::string text;
	Local() : text("fresh") { built++; }
	~Local()
	{
		must(!text.empty());
		destroyed++;
	}
};

static thread_local Local local;
static thread_local std::vector<int> numbers;

struct Slow {
	int value;
	Slow()
	{
		static_built++;
		std::this_thread::yield();
		value = 5;
	}
};

static const Slow &slow()
{
	static Slow object;
	return object;
}

// A static whose first two constructions throw: the next caller tries again.
static int stubborn(std::atomic<int> &tries)
{
	static int value = [&] {
		if (tries++ < 2)
			throw std::runtime_error("not yet");
		return 8;
	}();
	return value;
}

static void exceptions(int me, int depth)
{
	try {
		if (depth == 0)
			throw std::runtime_error("thread " + std::to_string(me));
		exceptions(me, depth - 1);
	} catch (const std::runtime_error &e) {
		must(e.what() == "thread " + std::to_string(me));
		must(std::uncaught_exceptions() == 0);
		std::this_thread::yield();
		try {
			throw std::logic_error("inner " + std::to_string(me));
		} catch (const std::logic_error &inner) {
			std::this_thread::yield();
			must(inner.what() == "inner " + std::to_string(me));
		}
		if (depth < 3)
			throw;
	}
}

static void nested(int me)
{
	try {
		try {
			throw me;
		} catch (...) {
			std::this_thread::yield();
			std::throw_with_nested(std::runtime_error("outer"));
		}
	} catch (const std::exception &e) {
		try {
			std::rethrow_if_nested(e);
			must(!"reached");
		} catch (int number) {
			must(number == me);
		}
	}
}

int main()
{
	std::atomic<int> tries{0};
	std::vector<std::thread> threads;
	std::exception_ptr carried;

	for (int i = 0; i < 5; i++)
		threads.emplace_back([&tries, i] {
			must(local.text == "fresh");
			local.text = std::to_string(i);
			numbers.assign(10, i);
			must(slow().value == 5);
			for (int value = 0; value != 8;)
				try {
					value = stubborn(tries);
				} catch (const std::runtime_error &) {
				}
			exceptions(i, 3);
			nested(i);
			must(local.text == std::to_string(i) && numbers.at(9) == i);
		});
	for (auto &t : threads)
		t.join();
	must(built == 5 && destroyed == 5 && static_built == 1 && tries == 3);

	std::thread([&] {
		try {
			numbers.at(0);
		} catch (...) {
			carried = std::current_exception();
		}
	}).join();
	try {
		std::rethrow_exception(carried);
	} catch (const std::out_of_range &) {
		std::puts("ok");
	}
}
