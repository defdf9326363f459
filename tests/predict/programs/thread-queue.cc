// flags: -pthread
// race A: hb

/*
 * A queue of strings with std::condition_variable. The items are handed over; `closed` is written and read without the
 */
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable changed;
std::deque<std::string> items;
bool closed;
size_t length;

void produce()
{
	for (const char *text : {"one", "a text that is too long to be kept in place"}) {
		std::lock_guard<std::mutex> guard(lock);
		items.emplace_back(text);
		changed.notify_one();
	}
	closed = true; // race A
}

void consume()
{
	for (int i = 0; i < 2; i++) {
		std::unique_lock<std::mutex> guard(lock);
		changed.wait(guard, [] { return !items.empty(); });
		std::string item = std::move(items.front());
		items.pop_front();
		guard.unlock();
		length += item.size();
	}
	if (closed) // race A
		length++;
}

} // namespace

int main()
{
	std::thread consumer(consume), producer(produce);
	consumer.join();
	producer.join();
	return length > 60;
}
