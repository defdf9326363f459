// flags: -std=c++20 -pthread

/*
 * Forty threads that use every primitive at once, some of them starting and cancelling threads of their own. It checks
 * its invariants and prints a summary that depends on everything a schedule decides: the order of all notes, heap and
 * stack addresses, thread ids, the clock, random bytes. The same schedule must print the same bytes.
 */
#include <atomic>
#include <barrier>
#include <chrono>
#include <cinttypes>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <sys/random.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "ok/must.h"

using namespace std::chrono_literals;

namespace {

constexpr int GROUP = 8; // threads of each of the five roles
constexpr int ROUNDS = 3;

// The order of everything: each note changes the hash in a way that depends on all notes before it.
class Chronicle {
	std::mutex lock;
	std::uint64_t hash = 14695981039346656037u;
	std::uint64_t notes = 0;

	void mix(std::uint64_t value)
	{
		for (int i = 0; i < 8; i++, value >>= 8)
			hash = (hash ^ (value & 0xff)) * 1099511628211u;
	}

public:
	template <class... Values> void note(Values... values)
	{
		std::lock_guard hold(lock);
		(mix((std::uint64_t)values), ...);
		notes++;
	}

	void print() { std::printf("%" PRIu64 " notes, hash %016" PRIx64 "\n", notes, hash); }
};

Chronicle chronicle;
std::atomic<int> locals_alive, locals_built;

struct Local {
	std::string text = "a string that does not fit into the small buffer";
	Local()
	{
		locals_alive++;
		locals_built++;
	}
	~Local()
	{
		chronicle.note(text.size(), text.data());
		locals_alive--;
	}
};

thread_local Local local;

// Identifies a thread: the addresses of its stack, its heap blocks and its thread-local data.
void introduce(int number)
{
	int here;
	auto block = std::make_unique<char[]>(100 + number * 40);

	local.text += std::to_string(number);
	chronicle.note(number, &here, block.get(), &local, pthread_self(), gettid());
}

// Role 1: every kind of lock guards the same counter, one after the other.
struct {
	pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
	pthread_spinlock_t spin;
	std::recursive_mutex recursive;
	std::shared_mutex shared;
	int counter = 0;
} guarded;

void locker(int number)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&guarded.normal);
		std::unique_lock outer(guarded.recursive);
		std::unique_lock inner(guarded.recursive);
		pthread_spin_lock(&guarded.spin);
		{
			std::unique_lock writer(guarded.shared);
			guarded.counter++;
		}
		pthread_spin_unlock(&guarded.spin);
		inner.unlock();
		outer.unlock();
		pthread_mutex_unlock(&guarded.normal);
		std::shared_lock reader(guarded.shared);
		must(guarded.counter > 0 && guarded.counter <= GROUP * ROUNDS);
		chronicle.note(number, guarded.counter);
	}
}

// Role 2: even numbers produce, odd ones consume, through a small buffer, with timeouts that may expire.
struct {
	std::mutex lock;
	std::condition_variable filled, emptied;
	std::vector<int> items;
	int produced = 0, consumed = 0;
} buffer;

void trader(int number)
{
	for (int i = 0; i < ROUNDS;) {
		std::unique_lock hold(buffer.lock);
		if (number % 2 == 0) {
			if (!buffer.emptied.wait_for(hold, 1ms, [] { return buffer.items.size() < 2; }))
				continue;
			buffer.items.push_back(number * 100 + i);
			buffer.produced += number * 100 + i;
			buffer.filled.notify_one();
		} else {
			if (!buffer.filled.wait_for(hold, 2ms, [] { return !buffer.items.empty(); }))
				continue;
			buffer.consumed += buffer.items.back();
			chronicle.note(number, buffer.items.back(), buffer.items.data());
			buffer.items.pop_back();
			buffer.emptied.notify_all();
		}
		i++;
	}
}

// Role 3: rounds separated by two kinds of barrier, with at most three threads inside at a time.
struct {
	pthread_barrier_t posix;
	std::barrier<> standard{GROUP};
	std::latch start{GROUP};
	std::counting_semaphore<3> places{3};
	sem_t ticket;
	std::atomic<int> inside{0}, arrived{0}, serial{0};
} meeting;

void marcher(int number)
{
	meeting.start.arrive_and_wait();
	for (int i = 0; i < ROUNDS; i++) {
		// not acquire(): libstdc++ 12 can sleep through the release there (GCC PR 104928), which Omen finds
		while (!meeting.places.try_acquire_for(1ms))
			;
		must(++meeting.inside <= 3);
		must(sem_wait(&meeting.ticket) == 0);
		chronicle.note(number, i);
		must(sem_post(&meeting.ticket) == 0);
		meeting.inside--;
		meeting.places.release();
		meeting.arrived++;
		if (pthread_barrier_wait(&meeting.posix) == PTHREAD_BARRIER_SERIAL_THREAD)
			meeting.serial++;
		must(meeting.arrived == GROUP * (i + 1));
		meeting.standard.arrive_and_wait();
		must(meeting.serial == i + 1);
	}
}

// Role 4: exceptions: within the thread, nested, and carried through futures; statics that the first thread initialises.
std::once_flag once;
std::atomic<int> once_ran, static_ran;

int shared_static()
{
	static int value = [] {
		static_ran++;
		std::this_thread::yield();
		return 11;
	}();
	return value;
}

void thrower(int number)
{
	std::call_once(once, [] { once_ran++; });
	must(shared_static() == 11);
	for (int i = 0; i < ROUNDS; i++) {
		try {
			throw std::runtime_error("from " + std::to_string(number));
		} catch (const std::exception &e) {
			std::this_thread::yield();
			auto carried = std::async(std::launch::async, [i]() -> int {
				if (i == 0)
					throw std::out_of_range("inner");
				return i;
			});
			try {
				must(carried.get() == i && i > 0);
			} catch (const std::out_of_range &inner) {
				must(i == 0 && inner.what() == std::string("inner"));
			}
			must(e.what() == "from " + std::to_string(number));
			chronicle.note(number, i, std::strlen(e.what()));
		}
	}
}

// Role 5: creates three threads: it joins one, detaches one, and cancels one that waits.
pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t nobody_signals = PTHREAD_COND_INITIALIZER;
std::atomic<int> cleaned, detached_done;
std::atomic<int> turn;

void unlock_and_count(void *mutex)
{
	cleaned++;
	must(pthread_mutex_unlock((pthread_mutex_t *)mutex) == 0);
}

void *waits_for_ever(void *)
{
	local.text += " cancelled";
	pthread_mutex_lock(&wait_lock);
	pthread_cleanup_push(unlock_and_count, &wait_lock);
	for (;;)
		pthread_cond_wait(&nobody_signals, &wait_lock);
	pthread_cleanup_pop(0);
	return nullptr;
}

void parent(int number)
{
	pthread_t victim;
	void *result;

	must(pthread_create(&victim, nullptr, waits_for_ever, nullptr) == 0);
	std::thread child([number] {
		introduce(1000 + number);
		usleep(100 * (number % 3));
	});
	std::thread([] {
		detached_done++;
		detached_done.notify_all();
	}).detach();
	must(pthread_cancel(victim) == 0);
	must(pthread_join(victim, &result) == 0 && result == PTHREAD_CANCELED);
	child.join();

	// Passes a baton round; each thread waits for it on the atomic itself.
	for (int now = turn; now != number % GROUP; now = turn)
		turn.wait(now);
	chronicle.note(number, (int)turn);
	turn++;
	turn.notify_all();
}

void (*const roles[])(int) = {locker, trader, marcher, thrower, parent};
constexpr int ROLES = sizeof roles / sizeof *roles;

} // namespace

int main()
{
	std::vector<std::thread> threads;
	struct timespec start, end;
	unsigned char random[8];

	pthread_spin_init(&guarded.spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&meeting.posix, nullptr, GROUP);
	sem_init(&meeting.ticket, 0, 1);
	clock_gettime(CLOCK_MONOTONIC, &start);

	for (int i = 0; i < ROLES * GROUP; i++)
		threads.emplace_back([i] {
			introduce(i);
			roles[i / GROUP](i);
		});
	for (auto &t : threads)
		t.join();
	for (int done = detached_done; done != GROUP; done = detached_done)
		detached_done.wait(done);

	must(guarded.counter == GROUP * ROUNDS);
	must(buffer.produced == buffer.consumed && buffer.items.empty());
	must(meeting.serial == ROUNDS && meeting.inside == 0);
	must(once_ran == 1 && static_ran == 1);
	must(turn == GROUP && cleaned == GROUP);
	// The forty, the children and the victims: a cancelled thread destroys its thread-local objects too.
	must(locals_built == (ROLES + 2) * GROUP && locals_alive == 0);

	clock_gettime(CLOCK_MONOTONIC, &end);
	must(getrandom(random, sizeof random, 0) == sizeof random);
	chronicle.print();
	std::printf("cleaned %d, locals %d\n", (int)cleaned, (int)locals_built);
	std::printf("stack %p heap %p thread %p code %p pid %d\n", (void *)&threads, (void *)threads.data(),
	            (void *)pthread_self(), (void *)main, getpid());
	std::printf("clock %lld.%09ld to %lld.%09ld, random %02x%02x%02x%02x\n", (long long)start.tv_sec, start.tv_nsec,
	            (long long)end.tv_sec, end.tv_nsec, random[0], random[1], random[2], random[3]);
	std::puts("ok");
}
