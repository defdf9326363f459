// A thread tests without the lock whether another one sleeps: a thread about to sleep is notified too early, and never again.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool sleeping, work;

static void sleeper()
{
	std::unique_lock<std::mutex> l(m);

	while (!work) {
		sleeping = true;
		c.wait(l); /* waits */
	}
}

static void waker()
{
	{
		std::lock_guard<std::mutex> l(m);
		work = true;
	}
	if (sleeping)
		c.notify_one();
}

static void other()
{
	if (sleeping)
		c.notify_one(); /* notify */
	sleeping = false;
}

int main()
{
	std::thread a(sleeper), b(waker), d(other);
	a.join();
	b.join();
	d.join();
	std::puts("done");
}
