// flags: -pthread

// One thread assigns a new object to a unique_ptr while another uses the old one.
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
