// flags: -pthread

// shared_mutex: shared for readers, exclusive for writers.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::shared_timed_mutex timed;
static int value, other;

static void write()
{
	std::unique_lock hold(lock);
	value++;
	std::unique_lock more(timed);
	other++;
}

static int read()
{
	std::shared_lock hold(lock);
	std::shared_lock more(timed);
	return value + other;
}

int main()
{
	int x = 0, y = 0;
	std::thread a(write), b(write), c([&] { x = read(); }), d([&] { y = read(); });

	a.join();
	b.join();
	c.join();
	d.join();
	return read() != 4 || x > 4 || y > 4;
}
