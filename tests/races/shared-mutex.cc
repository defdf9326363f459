// flags: -pthread

// Two holders of a shared lock, and one of them writes.
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int value;

int main()
{
	int seen = 0;
	std::thread writer([] {
		std::shared_lock hold(lock);
		value = 1; // race A
	});
	std::thread reader([&] {
		std::shared_lock hold(lock);
		seen = value; // race A
	});

	writer.join();
	reader.join();
	return seen > 1;
}
