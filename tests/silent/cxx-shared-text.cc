// flags: -pthread

// Several threads own a text; the last one that releases it destroys it.
#include <memory>
#include <sstream>
#include <string>
#include <thread>

struct message {
	std::string title = "the title of a message, long enough for the heap";
	std::stringstream body;
};

int main()
{
	auto shared = std::make_shared<message>();
	std::size_t seen[2];
	std::thread threads[2];

	shared->body << "written before " << 2 << " threads";
	for (int i = 0; i < 2; i++)
		threads[i] = std::thread([i, &seen, mine = shared]() mutable {
			seen[i] = mine->title.size() + mine->title.compare("the") + mine->body.str().size();
			mine.reset();
		});
	shared.reset();
	threads[0].join();
	threads[1].join();
	return seen[0] != seen[1];
}
