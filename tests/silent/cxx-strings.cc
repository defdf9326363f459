// flags: -pthread

// Strings and streams that threads pass on under a mutex, and strings that all threads only read.
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static const std::string greeting = "a greeting that does not fit into the string itself";
static std::mutex mutex;
static std::string joined;
static std::ostringstream report;
static std::vector<std::string> words;

static void work(int n)
{
	std::string mine = greeting + std::to_string(n);
	std::istringstream in(mine);
	std::string word;

	for (int i = 0; i < 3 && in >> word; i++) {
		std::lock_guard<std::mutex> lock(mutex);
		joined += word;
		report << word << ' ' << n << 2.5;
		words.push_back(std::move(word));
	}
}

int main()
{
	std::thread one(work, 1), two(work, 2);

	one.join();
	two.join();
	return words.size() != 6 || report.str().size() <= joined.size() || joined.find("greeting") == std::string::npos;
}
