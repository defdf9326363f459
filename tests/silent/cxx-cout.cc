// flags: -pthread

// Several threads may use the standard streams at once; their output may be mixed.
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>

static const std::string name = "a name that many threads print";

static void print(int n)
{
	std::cout << name << ' ' << n << ' ' << std::setw(4) << 1.5 << std::endl;
	std::cerr << "thread " << n << '\n';
	std::clog << name.size() << std::flush;
	std::wcout << L"wide" << 3 << L'\n';
	std::cout.put('x').write("yz", 2);
}

int main()
{
	std::thread one(print, 1), two(print, 2);

	print(0);
	one.join();
	two.join();
	return 0;
}
