// flags: -pthread

// The characters of a string are read while others are assigned to it.
#include <cstring>
#include <string>
#include <thread>

static std::string name = "old";

int main()
{
	std::size_t seen = 0;
	std::thread writer([] {
		name = std::string(name.size() + 2, 'n'); // race A
	});
	std::thread reader([&] {
		const char *text = name.c_str();
		seen = std::strlen(text); // race A
	});

	writer.join();
	reader.join();
	return seen > 5;
}
