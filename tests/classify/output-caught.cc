// flags: -pthread
// race A: verdict=output-differs

// A closed connection throws, and the thread that uses it prints that.
#include <iostream>
#include <stdexcept>
#include <thread>

struct Connection {
	bool open = true;

	int ask() const
	{
		if (!open) // race A
			throw std::runtime_error("closed");
		return 7;
	}
};

int main()
{
	Connection connection;
	std::thread client([&] {
		try {
			std::cout << connection.ask() << "\n";
		} catch (const std::runtime_error &error) {
			std::cout << error.what() << "\n";
		}
	});
	std::thread closer([&] {
		connection.open = false; // race A
	});

	client.join();
	closer.join();
}
