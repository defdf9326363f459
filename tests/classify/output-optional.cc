// flags: -pthread
// race A: verdict=output-differs

// A value that may not exist yet: the reader gets it, or the default.
#include <iostream>
#include <optional>
#include <thread>

static std::optional<int> port;

int main()
{
	std::thread configure([] {
		port = 8080; // race A
	});
	std::thread serve([] {
		std::cout << port.value_or(80) << "\n"; // race A
	});

	configure.join();
	serve.join();
}
