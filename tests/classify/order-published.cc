// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

// The pointer to an object is the flag: it is not null once the object is complete.
#include <chrono>
#include <iostream>
#include <thread>

struct Settings {
	explicit Settings(int n) : workers(n) {} // race A
	int workers;
};

static Settings *volatile settings;

int main()
{
	std::thread loader([] {
		settings = new Settings(4); // race B
	});
	std::thread server([] {
		Settings *s;
		while (!(s = settings)) // race B
			std::this_thread::sleep_for(std::chrono::milliseconds(5));
		std::cout << s->workers << "\n"; // race A
	});

	loader.join();
	server.join();
	delete settings;
}
