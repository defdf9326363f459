// flags: -pthread

// The first thread initialises a local static, and the program destroys it at its end.
#include <thread>
#include <vector>

struct registry {
	std::vector<int> entries;

	registry()
	{
		for (int i = 0; i < 10; i++)
			entries.push_back(i);
	}
};

static registry &instance()
{
	static registry r;
	return r;
}

int main()
{
	int sum[3];
	auto use = [&sum](int n) { sum[n] = instance().entries[n]; };
	std::thread a(use, 0), b(use, 1), c(use, 2);

	a.join();
	b.join();
	c.join();
	return sum[0] + sum[1] + sum[2] != 3;
}
