// flags: -pthread

// Two threads read from one stream.
#include <sstream>
#include <thread>

static std::istringstream input("one two three");

static void take(int *character)
{
	*character = input.get(); // race A
}

int main()
{
	int mine[2];
	std::thread one(take, &mine[0]), two(take, &mine[1]);

	one.join();
	two.join();
	return mine[0] == mine[1];
}
