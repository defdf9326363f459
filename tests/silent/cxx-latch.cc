// flags: -pthread -std=c++20

// A latch: a waiter sees all work that was done before count_down.
#include <latch>
#include <thread>

int main()
{
	int part[3] = {0, 0, 0}, sum = 0;
	std::latch done(3), go(1);
	auto work = [&](int n) {
		go.wait();
		part[n] = n;
		done.count_down();
	};
	std::thread a(work, 0), b(work, 1), c(work, 2);

	go.count_down();
	done.wait();
	sum = part[0] + part[1] + part[2];
	a.join();
	b.join();
	c.join();
	return sum != 3;
}
