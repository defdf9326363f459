// flags: -pthread
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

// A vector moves its elements when it grows, while another thread reads one.
#include <cstdio>
#include <thread>
#include <vector>

static std::vector<int> items = {1};

int main()
{
	int first = 0;
	std::thread reader([&] {
		first = items.front(); // race A violation A
	});
	std::thread writer([] {
		items.push_back(2); // race A
	});

	reader.join();
	writer.join();
	std::printf("%d\n", first);
}
