#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "abi/syscall_names.h"
#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/kernel/kernel.h"
#include "rt/model/parts.h"
#include "rt/kernel/signals.h"
#include "rt/core/pool.h"
#include "rt/core/text.h"

#define END_LOOKS  256      /* points between two looks whether the recorded part is over */
#define END_GRACE  10000000 /* ns */
#define END_POINTS 5000000

struct model model;

/* ---- memory ---- */

void *model_alloc(uint64_t size)
{
	if (size > POOL_LARGEST)
		model_unknown("it needs %lu bytes of the model", size);
	return pool_alloc_zeroed(size);
}

void model_free(void *memory, uint64_t size)
{
	if (memory)
		pool_free(memory, size);
}

char *model_text(const void *from, uint64_t size)
{
	char *text = model_alloc(size + 1);

	memcpy(text, from, size);
	return text;
}

char *model_copy_text(const char *text) { return model_text(text, strlen(text)); }

/* ---- answers that need no more ---- */

static long answer_zero(const struct request *a)
{
	(void)a;
	return 0;
}

/* The call only asks, or only concerns this process. */
static long answer_from_kernel(const struct request *a)
{
	const long *arg = a->arg;

	return a->entry ? 0 : raw_syscall(a->nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

static long answer_usage(const struct request *a)
{
	if (!a->entry)
		kernel_fill_rusage((int)a->arg[0], (void *)a->arg[1]);
	return 0;
}

static long answer_machine(const struct request *a)
{
	long r = answer_from_kernel(a);

	if (!a->entry && !r)
		kernel_fill_sysinfo((void *)a->arg[0]);
	return r;
}

static long refuse(const struct request *a)
{
	if (!a->entry)
		model_invents("a call is refused");
	return -ENOSYS;
}

static long answer_clock(const struct request *a)
{
	struct timespec *t = (void *)a->arg[1];

	if (a->entry) {
		if (a->arg[0] == CLOCK_MONOTONIC)
			model.now = t->tv_sec * 1000000000 + t->tv_nsec;
		return 0;
	}
	t->tv_sec = model.now / 1000000000;
	t->tv_nsec = model.now % 1000000000;
	return 0;
}

static long answer_wait(const struct request *a)
{
	if (a->entry)
		return 0;
	if (omen.children)
		model_unknown("it waits for a process that it made");
	return -ECHILD;
}

static long answer_new_process(const struct request *a)
{
	(void)a;
	model_unknown("it makes a process");
}

static long answer_messages(const struct request *a)
{
	if (a->entry)
		model.lost = true;
	else
		model_unknown("it uses recvmmsg or sendmmsg");
	return 0;
}

/* ---- the table ---- */

typedef long (*answer)(const struct request *);

/* clang-format off */
static const struct row {
	answer answer;
	bool acts_on_error, only_asks;
} rows[SYSCALLS_MAX] = {
#define CALL(name, ...) [SYS_##name] = {__VA_ARGS__},
#define MODEL(function) .answer = function,
#define ACTS_ON_ERROR   .acts_on_error = true,
#define ONLY_ASKS       .only_asks = true,
#include "rt/kernel/syscalls.h"
};
/* clang-format on */

static const struct row *row_of(long nr)
{
	static const struct row unknown;

	return nr >= 0 && nr < SYSCALLS_MAX ? &rows[nr] : &unknown;
}

static answer answer_of(long nr) { return row_of(nr)->answer ? row_of(nr)->answer : refuse; }

/* ---- the way in ---- */

/*
 * As long as the recording is followed it answers.  If the model does not know how to follow, that matters only when
 * the execution leaves the recording: the failure is kept until then.
 */
static struct {
	void *back[5];
	bool following, failed;
	char why[200];
} follow;

void model_unknown(const char *format, ...)
{
	static char what[200];
	va_list args;

	va_start(args, format);
	text_vformat(what, sizeof(what), format, args);
	va_end(args);
	if (follow.following) {
		follow.failed = true;
		text_format(follow.why, sizeof(follow.why), "%s", what);
		__builtin_longjmp(follow.back, 1);
	}
	ending_fail(ENDING_UNKNOWN, "the recording does not tell how this execution goes on: %s", what);
}

void model_invents(const char *what)
{
	struct board *b = omen.board;

	if (!b->invented++)
		text_format(b->invention, sizeof(b->invention), "%s", what);
}

/* Calls f, unless the model has failed to follow before; a model_unknown() inside ends the call. */
static void __attribute__((noinline)) follow_or_fail(void (*f)(const struct request *), const struct request *a)
{
	if (follow.failed || __builtin_setjmp(follow.back))
		follow.failed = true;
	else {
		follow.following = true;
		f(a);
	}
	follow.following = false;
}

static void start_parts(const struct request *a)
{
	(void)a;
	names_read_umask();
	arrivals_gather();
	descriptors_start();
}

void model_start(void) { follow_or_fail(start_parts, NULL); }

/* The call changes nothing, and the program's memory has the answer already. */
static bool only_asks(long nr, const long arg[6])
{
	return row_of(nr)->only_asks || (nr == SYS_fcntl && (arg[1] == F_GETLK || arg[1] == F_OFD_GETLK));
}

static void follow_call(const struct request *a)
{
	const struct world_entry *e = a->entry;

	if (e->kind == WORLD_SIGNAL)
		arrivals_signalled();
	else if (a->nr == SYS_clone)
		descriptors_expose();
	else if (only_asks(a->nr, a->arg))
		return;
	else if (e->result >= 0 || (a->nr == SYS_connect && e->result == -EINPROGRESS) || a->nr == SYS_mmap ||
	         row_of(a->nr)->acts_on_error)
		answer_of(a->nr)(a);
	model.broken_pipe = false;
}

void model_follow(long nr, const long arg[6], const struct world_entry *e)
{
	follow_or_fail(follow_call, &(struct request){.nr = nr, .arg = arg, .entry = e});
}

void model_own_files(void) { descriptors_own_files(); }

/* The point at which to look whether the signal is due. */
static uint64_t signal_point(const struct arrival *a) { return arrival_is_end(a) ? omen.points + END_LOOKS : a->gate; }

void model_depart(void)
{
	const struct arrival *next = arrivals_signal();

	model.departed = true;
	model.departed_points = omen.points + omen.unseen;
	model.departed_at = omen.clock - omen.jumped;
	if (follow.failed)
		model_unknown("%s", follow.why);
	descriptors_mark_news();
	omen.signal_point = next ? signal_point(next) : UINT64_MAX;
}

long model_call(long nr, const long arg[6])
{
	struct request a = {.nr = nr, .arg = arg};

	return answer_of(nr)(&a);
}

int model_output(int fd)
{
	const struct open *o = follow.failed ? NULL : descriptor(fd);

	if (!o)
		return fd == 1 || fd == 2 ? fd : -1;
	return o->kind == KIND_OUTPUT ? (int)o->real : -1;
}

/*
 * Is it time for a signal?  Signals come at their points.  Where every access is a point, that does not say when the
 * recorded part ends, but the time does, which a point then takes more of.  So everything that has come is worked off
 * first, if that ends at all.  A program that only computes is ended after four times the recorded time: it has shown
 * what it does, and would take far longer than in the recording.
 */
static bool is_due(const struct arrival *a, const siginfo_t *info)
{
	int64_t end, now = omen.clock - omen.jumped, begin = model.departed_at;

	if (!signals_is_end(info, &end))
		return omen.points >= a->gate;
	omen.signal_point = omen.points + END_LOOKS;
	end += (end - begin) / 8 + END_GRACE;
	if (arrivals_are_over())
		return now >= end || omen.points + omen.unseen - model.departed_points >= END_POINTS;
	return now - begin >= 4 * (end - begin);
}

bool model_signal(uint32_t place, siginfo_t *info)
{
	struct arrival *a = arrivals_signal();

	if (place == ADMIT_SENT) {
		if (!model.broken_pipe)
			return false;
		model.broken_pipe = false;
		memset(info, 0, sizeof(*info));
		info->si_signo = SIGPIPE;
		return true;
	}
	while (a && a->entry->flags == ADMIT_SENT) {
		arrivals_signalled();
		a = arrivals_signal();
	}
	if (!a || a->entry->bytes != sizeof(*info))
		return false;
	memcpy(info, a->entry + 1, sizeof(*info));
	if (!(a->released || is_due(a, info)))
		return false;
	arrivals_signalled();
	a = arrivals_signal();
	omen.signal_point = a ? signal_point(a) : UINT64_MAX;
	return true;
}
