// flags: -pthread

// A thread puts the result into an optional that others test; the flag inside is plain.
#include <optional>
#include <thread>

static std::optional<int> result;

int main()
{
	int seen = 0;
	std::thread worker([] {
		result.emplace(42); // race A B
	});
	std::thread impatient([&] {
		if (result.has_value()) // race A
			seen = *result; // race B
	});

	worker.join();
	impatient.join();
	return seen == 1;
}
