// flags: -pthread

// The count in a shared_ptr is atomic, the shared_ptr itself is not. Another owner keeps the object alive.
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1), other = current;

int main()
{
	int seen = 0;
	std::thread reader([&] {
		std::shared_ptr<int> mine = current; // race A
		seen = mine ? *mine : 0;
	});
	std::thread writer([] {
		current.reset(); // race A
	});

	reader.join();
	writer.join();
	return seen > 1;
}
