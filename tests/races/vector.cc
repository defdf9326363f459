// flags: -pthread

// push_back in one thread, size() in another.
#include <thread>
#include <vector>

static std::vector<int> queue;

int main()
{
	std::size_t seen = 0;
	std::thread producer([] {
		for (int i = 0; i < 4; i++)
			queue.push_back(i); // race A
	});
	std::thread monitor([&] {
		seen = queue.size(); // race A
	});

	producer.join();
	monitor.join();
	return seen > 4;
}
