// flags: -std=c++20
// The compiler splits a coroutine into functions only after it has been instrumented.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>

struct Generator {
	struct promise_type {
		int value = 0;
		std::exception_ptr failure;
		Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		void return_void() {}
		void unhandled_exception() { failure = std::current_exception(); }
	};
	std::coroutine_handle<promise_type> handle;
	Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
	Generator(const Generator &) = delete;
	~Generator() { handle.destroy(); }
	bool next()
	{
		handle.resume();
		if (handle.promise().failure)
			std::rethrow_exception(handle.promise().failure);
		return !handle.done();
	}
};

static int total;

static Generator fibonacci(int n)
{
	int pair[2] = {0, 1};
	for (int i = 0; i < n; i++) {
		co_yield pair[0];
		int next = pair[0] + pair[1];
		pair[0] = pair[1];
		pair[1] = next;
		total += next;
	}
	throw std::runtime_error("end");
}

int main()
{
	Generator g = fibonacci(10);
	try {
		while (g.next())
			std::printf("%d ", g.handle.promise().value);
	} catch (const std::exception &e) {
		std::printf("%s %d\n", e.what(), total);
	}
}
