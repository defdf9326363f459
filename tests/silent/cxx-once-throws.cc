// flags: -pthread

// A call_once that throws is ordered before the next attempt.
#include <mutex>
#include <thread>

static std::once_flag once;
static int tries, seen[2];

static void use(int n)
{
	for (bool again = true; again;) {
		try {
			std::call_once(once, [] {
				if (++tries == 1)
					throw 1;
			});
			again = false;
		} catch (int) {
		}
	}
	seen[n] = tries;
}

int main()
{
	std::thread a(use, 0), b(use, 1);

	a.join();
	b.join();
	return seen[0] != 2 || seen[1] != 2;
}
