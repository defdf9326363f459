// flags: -pthread

// A unique_ptr is given a new object while the old one is in use.
#include <memory>
#include <thread>

static std::unique_ptr<int> current = std::make_unique<int>(1);

int main()
{
	int seen = 0;
	std::thread reader([&] {
		seen = *current; // race A
	});
	std::thread writer([] {
		current = std::make_unique<int>(2); // race A
	});

	reader.join();
	writer.join();
	return seen > 2;
}
