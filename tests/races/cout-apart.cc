// flags: -pthread

// std::cout may be shared only as long as it is synchronised with stdio.
#include <iostream>
#include <thread>

static void note()
{
	std::cout << "done\n"; // race A
}

int main()
{
	std::ios_base::sync_with_stdio(false);
	std::thread one(note), two(note);

	one.join();
	two.join();
	return 0;
}
