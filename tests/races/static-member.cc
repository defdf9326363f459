// flags: -pthread

// Each thread has its own objects, but a static member counts all of them.
#include <thread>

struct widget {
	static inline int alive = 0;

	widget()
	{
		alive++; // race A B
	}

	~widget()
	{
		alive--; // race B C
	}
};

int main()
{
	auto work = [] { widget w; };
	std::thread a(work), b(work);

	a.join();
	b.join();
}
