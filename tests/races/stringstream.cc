// flags: -pthread

// Two threads write to one stringstream: only the standard streams may be shared.
#include <sstream>
#include <thread>

static std::stringstream report;

int main()
{
	std::thread words([] {
		report << "words"; // race A
	});
	std::thread numbers([] {
		report << 12; // race A
	});

	words.join();
	numbers.join();
	return report.str().size() > 7;
}
