// flags: -pthread

// Containers and strings under a lock; elements of one container by different threads.
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::map<int, std::string> names;
static std::vector<std::u16string> parts(2);

static void work(int n)
{
	for (int i = 0; i < 3; i++) {
		std::lock_guard hold(lock);
		names[i] += std::to_string(n);
	}
	for (int i = 0; i < 20; i++)
		parts[n].push_back(u'x');
}

int main()
{
	std::thread a(work, 0), b(work, 1);

	a.join();
	b.join();
	return names[0].size() + names[2].size() != 4 || parts[0].size() + parts[1].size() != 40;
}
