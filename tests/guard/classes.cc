// flags: -pthread -O0 -std=c++17
// 1: memory-error use after free: read of 4 bytes inside a block of 16 bytes
// 2: memory-error heap overflow: write of 4 bytes right behind a block of 40 bytes
// 3: memory-error double free: of a block of 4 bytes
// 4: memory-error use after free: read of 1 byte inside a block of 31 bytes
// 5: memory-error stack overflow: write of 4 bytes right behind a variable of 16 bytes
// 20: nothing
// 21: nothing
// 22: nothing

// What C++ does with memory. From case 20 on the program is correct.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile int ten = 10;
static std::string early(100, 'x');
static thread_local std::vector<int> of_thread;

struct Counted {
	static inline int alive;
	std::string name = "one of many, and too long for its own memory";
	Counted() { alive++; }
	~Counted() { alive--; }
};

[[gnu::noinline]] static int deep(int depth)
{
	int frame[8];

	std::fill(frame, frame + 8, depth);
	if (!depth)
		throw std::runtime_error("from " + std::to_string(frame[ten - 3]));
	return deep(depth - 1) + frame[ten - 9];
}

static void exceptions()
{
	for (int i = 0; i < 10; i++)
		try {
			deep(i);
		} catch (const std::exception &e) {
			if (std::string(e.what()) != "from 0")
				std::exit(3);
		}
}

static void containers()
{
	std::map<std::string, std::vector<int>> all;
	std::ostringstream out;

	for (int i = 0; i < 500; i++)
		all[std::to_string(i % 50)].push_back(i);
	for (auto &[name, values] : all) {
		std::sort(values.rbegin(), values.rend());
		out << name << values.back() << ' ';
	}
	std::unique_ptr<Counted[]> counted(new Counted[5]);
	auto shared = std::make_shared<Counted>();
	std::weak_ptr<Counted> weak = shared;
	std::function<int(int)> add = [values = all["1"], shared](int i) { return values.back() + i; };
	counted.reset();
	shared.reset();
	if (add(1) != 2 || weak.expired() || Counted::alive != 1 || out.str().empty() || early.size() != 100)
		std::exit(3);
}

static void threads()
{
	std::mutex mutex;
	std::vector<std::thread> all;
	std::vector<std::string> said;

	for (int i = 0; i < 3; i++)
		all.emplace_back([&, i] {
			of_thread.assign(100, i);
			std::lock_guard lock(mutex);
			said.push_back(std::string(50, 'a' + of_thread[99]));
		});
	for (auto &t : all)
		t.join();
	if (said.size() != 3)
		std::exit(3);
}

int main(int argc, char **argv)
{
	switch (argc > 1 ? std::atoi(argv[1]) : 0) {
	case 1: {
		std::vector<int> items(4, 1);
		int &first = items[0];
		items.push_back(2);
		return first != 1; /* 1 */
	}
	case 2: { int *p = new int[10]; p[ten] = 1; } break; /* 2 */
	case 3: { int *volatile p = new int; delete p; delete p; } break; /* 3 */
	case 4: {
		std::string line(30, '=');
		const char *text = line.data();
		line.reserve(100);
		return text[3] != '='; /* 4 */
	}
	case 5: { int a[4] = {}; a[ten - 6] = 1; return a[ten - 9]; } /* 5 */

	case 20: exceptions(); break;
	case 21: containers(); break;
	case 22: threads(); break;
	}
	std::puts("end");
	return 0;
}
