// flags: -pthread

// A static whose initialisation throws is ordered before the next attempt.
#include <thread>

static int tries;

struct late {
	int value;
	late()
	{
		if (++tries < 3)
			throw 1;
		value = tries;
	}
};

static void use()
{
	try {
		static late instance;
	} catch (int) {
	}
}

int main()
{
	std::thread a(use), b(use), c(use);

	a.join();
	b.join();
	c.join();
	return tries != 3;
}
