// flags: -pthread

// What the winner of call_once does afterwards is not ordered.
#include <mutex>
#include <thread>

static std::once_flag once;
static int made, late;

static int use(bool add)
{
	std::call_once(once, [] { made = 1; });
	if (add)
		late = 1; // race A
	else
		return made + late; // race A
	return made;
}

int main()
{
	int a = 0, b = 0;
	std::thread first([&] { a = use(true); }), second([&] { b = use(false); });

	first.join();
	second.join();
	return a + b > 3;
}
