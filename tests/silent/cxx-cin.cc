// flags: -pthread

// Several threads may read std::cin. Here it is empty.
#include <iostream>
#include <string>
#include <thread>

static void ask()
{
	std::string word;
	int number;

	std::cin >> word;
	std::cin >> number;
	std::getline(std::cin, word);
	std::cin.get();
}

int main()
{
	std::thread one(ask), two(ask);

	one.join();
	two.join();
	return 0;
}
