// flags: -pthread
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

// One thread makes a line longer while another reads its first character: the text moves, and the old one is freed.
#include <cstdio>
#include <string>
#include <thread>

static std::string line(30, '=');

int main()
{
	char first = 0;
	std::thread reader([&] {
		first = *line.data(); // race A violation A
	});
	std::thread writer([] {
		line.reserve(100); // race A
	});

	reader.join();
	writer.join();
	std::printf("%c\n", first);
}
