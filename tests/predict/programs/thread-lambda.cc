// flags: -pthread
// race A: sp
// race B: may

/*
 * std::thread, std::mutex and lambdas: a cache whose size is accessed outside the lock. So is its age (B), but each thread
 * reads the age's address from its lambda after the lock. An address that was read counts as a branch, so the number of
 * entries before it must not change.
 */
#include <mutex>
#include <thread>

namespace {

struct cache {
	std::mutex lock;
	int hits = 0, misses = 0, entries = 0;
	int size = 0, age = 0;
};

} // namespace

int main()
{
	cache c;
	std::thread filler([&] {
		c.size = 1; // race A
		{
			std::lock_guard<std::mutex> guard(c.lock);
			c.misses = 1;
		}
		c.age = 1; // race B
		std::lock_guard<std::mutex> guard(c.lock);
		c.entries++;
	});
	std::thread reader([&] {
		{
			std::lock_guard<std::mutex> guard(c.lock);
			c.hits = 1;
		}
		c.size = 2; // race A
		{
			std::lock_guard<std::mutex> guard(c.lock);
			c.entries++;
		}
		c.age = 2; // race B
	});
	filler.join();
	reader.join();
	return c.size + c.age + c.entries > 6;
}
