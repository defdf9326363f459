// flags: -pthread -std=c++20

// count_down orders what happens before it, and nothing later.
#include <latch>
#include <thread>

static int early, late;

int main()
{
	std::latch ready(1);
	std::thread worker([&] {
		early = 1;
		ready.count_down();
		late = 1; // race A
	});

	ready.wait();
	int sum = early;
	sum += late; // race A
	worker.join();
	return sum > 2;
}
