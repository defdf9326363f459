// flags: -pthread
// Objects with static storage: guarded initialisation, inline variables, templates in COMDATs, thread_local with
// constructors, threads.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Noisy {
	int v;
	explicit Noisy(int n) : v(n) { std::printf("make %d\n", n); }
	~Noisy() { std::printf("drop %d\n", v); }
};

static Noisy global(1);
inline int shared_inline = 5;
thread_local Noisy local(9);

static Noisy &lazy()
{
	static Noisy n(2);
	return n;
}

template <typename T> struct Counter {
	static std::atomic<T> total;
	void add(T n) { total.fetch_add(n, std::memory_order_relaxed); }
};
template <typename T> std::atomic<T> Counter<T>::total{0};

int main()
{
	std::mutex m;
	std::vector<std::thread> threads;
	std::string log;
	int sum = 0;

	lazy().v++;
	lazy().v++;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&, i] {
			std::lock_guard<std::mutex> g(m);
			sum += i;
			Counter<long>().add(i);
			log += 'x';
		});
	for (auto &t : threads)
		t.join();
	auto p = std::make_shared<int>(sum + shared_inline);
	std::weak_ptr<int> w = p;
	std::printf("%d %d %ld %s\n", sum, *p, Counter<long>::total.load(), log.c_str());
	std::printf("%d %ld %d\n", lazy().v, w.use_count(), local.v);
}
