// flags: -pthread

// A lambda captures by reference; its creator continues to use the variable.
#include <thread>

int main()
{
	int total = 0;
	std::thread worker([&] {
		total += 1; // race A
	});

	total += 2; // race A
	worker.join();
	return total > 3;
}
