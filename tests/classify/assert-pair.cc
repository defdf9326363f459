// flags: -pthread
// race A B: verdict=spec-violated consequence=assertion violation=failed-assert

// One thread moves both ends of a range, and another reads them in between.
#include <cassert>
#include <iostream>
#include <thread>

struct Range {
	volatile int begin = 0, end = 10;

	void move(int by)
	{
		begin = begin + by; // race A
		end = end + by;     // race B
	}
	int length() const
	{
		int from = begin; // race A
		int to = end;     // race B

		assert(to - from == 10); // violation A B
		return to - from;
	}
};

int main()
{
	Range range;
	std::thread mover([&] { range.move(20); });
	std::thread looker([&] { range.length(); });

	mover.join();
	looker.join();
	std::cout << "moved\n";
}
