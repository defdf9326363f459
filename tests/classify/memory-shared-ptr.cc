// flags: -pthread
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

// The counts of a shared_ptr are atomic; the shared_ptr itself is not, and here no other owner keeps the object.
#include <cstdio>
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1), kept;

int main()
{
	std::thread reader([] {
		kept = current; // race A violation A
	});
	std::thread writer([] {
		current.reset(); // race A
	});

	reader.join();
	writer.join();
	std::puts("done");
}
