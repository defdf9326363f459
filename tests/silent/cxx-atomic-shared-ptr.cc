// flags: -pthread -std=c++20

// The shared_ptr itself is replaced and copied through the free atomic functions.
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main()
{
	int seen = 0;
	std::thread reader([&] {
		for (int i = 0; i < 3; i++)
			seen += *std::atomic_load(&current);
	});
	std::thread writer([] {
		for (int i = 2; i < 5; i++)
			std::atomic_store(&current, std::make_shared<int>(i));
	});

	reader.join();
	writer.join();
	return seen < 3;
}
