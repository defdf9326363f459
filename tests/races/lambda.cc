// flags: -pthread

// A lambda that captures by reference; its creator goes on with the variable.
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
