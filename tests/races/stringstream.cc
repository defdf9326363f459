// flags: -pthread

// A stream of one's own is nobody else's to write to: only the standard ones may be shared.
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
