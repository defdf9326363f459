// flags: -pthread
// race A: verdict=spec-violated consequence=memory-error violation=double-free

// Two threads close the same file object.
#include <cstdio>
#include <memory>
#include <thread>

struct File {
	int descriptor;
};

static std::unique_ptr<File> file(new File{3});

static void close_it()
{
	file.reset(); // race A violation A
}

int main()
{
	std::thread first(close_it), second(close_it);

	first.join();
	second.join();
	std::puts("closed");
}
