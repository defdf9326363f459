// flags: -pthread
// race: none

/* Whether an exception is thrown depends on what was read, in another function than where it is caught. */
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
