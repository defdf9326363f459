// flags: -pthread
// race: none

/* The value that was read decides whether an exception is thrown; another function catches it. */
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

std::mutex lock;
int ready, x;

void need_ready()
{
	std::lock_guard<std::mutex> guard(lock);

	if (!ready)
		throw std::runtime_error("not ready");
}

void make()
{
	x = 1;
	std::lock_guard<std::mutex> guard(lock);
	ready = 1;
}

void use()
{
	try {
		need_ready();
		x = 2;
	} catch (const std::runtime_error &) {
	}
}

} // namespace

int main()
{
	std::thread maker(make), user(use);

	maker.join();
	user.join();
	return x > 2;
}
