// flags: -pthread

// Exceptions in many threads: each has its own, and unwinding releases a lock.
#include <exception>
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void fail(int n)
{
	std::lock_guard hold(lock);
	counter += n;
	throw n;
}

int main()
{
	std::exception_ptr kept[2];
	auto work = [&kept](int n) {
		try {
			fail(n + 1);
		} catch (int) {
			kept[n] = std::current_exception();
		}
	};
	std::thread a(work, 0), b(work, 1);

	a.join();
	b.join();
	try {
		std::rethrow_exception(kept[1]);
	} catch (int n) {
		counter += n;
	}
	return counter != 5;
}
