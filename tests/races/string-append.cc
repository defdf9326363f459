// flags: -pthread

// Two threads append to one string that has room for both.
#include <string>
#include <thread>

static std::string joined;

static void add(const char *word)
{
	joined.append(word); // race A
}

int main()
{
	joined.reserve(100);
	std::thread one(add, "one"), two(add, "two");

	one.join();
	two.join();
	return joined.empty();
}
