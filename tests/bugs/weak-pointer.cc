// expect: crash
// at: look
// strategy: mixed random pct:3
// flags: -pthread

// weak_ptr misused: expired() says what was true then, and lock() can return nothing later.
#include <cstdio>
#include <memory>
#include <thread>

struct Session {
	volatile int user = 7;
};

static std::shared_ptr<Session> session = std::make_shared<Session>();

static int look(const std::weak_ptr<Session> &seen)
{
	if (seen.expired())
		return 0;
	return seen.lock()->user; /* HERE */
}

int main()
{
	std::weak_ptr<Session> seen = session;
	int user = 0;

	std::thread viewer([&] { user = look(seen); });
	std::thread closer([] { session.reset(); });
	viewer.join();
	closer.join();
	std::printf("user %d\n", user);
}
