// flags: -pthread

// Objects of their own in each thread, but a static member that counts them all.
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
