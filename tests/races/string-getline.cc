// flags: -pthread

// One thread reads a line into a string while another reads the string.
#include <sstream>
#include <string>
#include <thread>

static std::string line, word;
static std::size_t seen;

int main()
{
	std::thread reader([] {
		std::istringstream in("first line\nword");
		std::getline(in, line); // race A
		in >> word; // race B
	});
	std::thread looker([] {
		seen = line.size(); // race A
		seen += word.size(); // race B
	});

	reader.join();
	looker.join();
	return seen > 14;
}
