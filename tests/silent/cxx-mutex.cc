// flags: -pthread

// The mutexes of C++ and their guards.
#include <chrono>
#include <mutex>
#include <thread>

static std::mutex plain, other;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static int a, b, c, d;

static void work()
{
	{
		std::lock_guard hold(plain);
		a++;
	}
	{
		std::scoped_lock hold(plain, other);
		b++;
	}
	{
		std::unique_lock hold(recursive);
		std::unique_lock again(recursive);
		c++;
	}
	std::unique_lock hold(timed, std::defer_lock);
	if (hold.try_lock_for(std::chrono::hours(1)))
		d++;
}

int main()
{
	std::thread x(work), y(work);

	x.join();
	y.join();
	return a + b + c + d != 8;
}
