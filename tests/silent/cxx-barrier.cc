// flags: -pthread -std=c++20

// A barrier with a completion function, which runs between the phases.
#include <barrier>
#include <thread>

static int part[2], total;

int main()
{
	auto add = []() noexcept { total += part[0] + part[1]; };
	std::barrier phase(2, add);
	int seen[2] = {0, 0};
	auto work = [&](int n) {
		for (int i = 1; i <= 3; i++) {
			part[n] = i;
			phase.arrive_and_wait();
			seen[n] = total;
			phase.arrive_and_wait();
		}
	};
	std::thread a(work, 0), b(work, 1);

	a.join();
	b.join();
	return total != 24 || seen[0] != seen[1];
}
