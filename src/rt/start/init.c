/*
 * The start of the runtime.  libomen's constructor takes control before any instrumented code runs.  main itself is
 * wrapped, so that an exploration can stop there.  A program that was started without the tool runs under control, too:
 * under the strategy fair, and nothing is recorded.
 */
#include "rt/start/init.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/shadow/cells.h"
#include "rt/clock/clock.h"
#include "rt/ending/ending.h"
#include "rt/observe/explain.h"
#include "rt/kernel/kernel.h"
#include "rt/kernel/signals.h"
#include "rt/world/world.h"
#include "rt/observe/site_count.h"
#include "rt/observe/timeline_record.h"
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"
#include "rt/observe/prediction_record.h"
#include "rt/fibers/endless_loop.h"
#include "rt/shadow/race_table.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"
#include "rt/shadow/race_check.h"
#include "rt/snapshot/snapshot.h"
#include "rt/threads/sync.h"
#include "rt/core/text.h"
#include "rt/shadow/watch.h"
#include "rt/atomics/store_history.h"

struct omen omen = {.off = OFF_BEFORE, .sparse_at = UINT64_MAX, .loop_budget = LOOP_BUDGET, .debug_point = UINT64_MAX};

/*
 * Virtual process ids are larger than those of the kernel.  Each seed has its own, so that executions side by side do
 * not share the files and semaphores that programs name after their process.  Thread ids follow the process id.
 */
#define VIRTUAL_PID(seed) (0x1000000u + (uint32_t)((seed) & 0xffff) * MAX_FIBERS)

static void map_fixed(uint64_t at, size_t size, int flags, int fd, const char *what)
{
	long r = raw6(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, 0);

	if (r != (long)at)
		text_die("cannot map %s at 0x%lx (error %ld)", what, at, -r);
}

static int find_self(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t here = (uint64_t)&find_self;
	(void)size;
	(void)arg;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || here < low || here >= low + p->p_memsz)
			continue;
		omen.text_low = low;
		omen.text_high = low + p->p_memsz;
	}
	if (!omen.text_low)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		omen.data_low = (info->dlpi_addr + p->p_vaddr) & ~4095ul;
		omen.data_high = (info->dlpi_addr + p->p_vaddr + p->p_memsz + 4095) & ~4095ul;
	}
	return 1;
}

/* Finds the segment of a library that holds an address. */
static void find_segment(const struct dl_phdr_info *info, uint64_t there, uint64_t *low, uint64_t *high)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t at = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || there < at || there >= at + p->p_memsz)
			continue;
		*low = at;
		*high = at + p->p_memsz;
	}
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;

	find_segment(info, (uint64_t)dlsym(RTLD_NEXT, "strsignal"), &omen.libc_low, &omen.libc_high);
	find_segment(info, (uint64_t)dlsym(RTLD_DEFAULT, "__tls_get_addr"), &omen.loader_low, &omen.loader_high);
	/* OpenMP's libraries have their own locks, which seldom need the kernel */
	omen.hidden |= strstr(info->dlpi_name, "/libgomp") != NULL;
	omen.libomp |= strstr(info->dlpi_name, "/libomp") != NULL;
	return 0;
}

/*
 * Does the program call libomen's functions?  It does not if the program was not built with omen cc and only one of its
 * libraries has loaded libomen.  libomen then does nothing.
 */
static bool is_first(void)
{
	uint64_t found = (uint64_t)dlsym(RTLD_DEFAULT, "pthread_create");

	return found >= omen.text_low && found < omen.text_high;
}

static void take_board(void)
{
	const char *fd = getenv("OMEN_BOARD");

	if (!fd)
		return;
	unsetenv("OMEN_BOARD"); /* for this process only, not for programs that it starts */
	map_fixed(BOARD_ADDRESS, BOARD_MEMORY, MAP_SHARED | MAP_NORESERVE, BOARD_FD, "the board");
	raw1(SYS_close, BOARD_FD);
	omen.board = (struct board *)BOARD_ADDRESS;
	if (omen.board->config.magic != BOARD_MAGIC || strcmp(omen.board->config.version, OMEN_VERSION)) {
		omen.board = NULL;
		text_die("started by another version of omen than %s", OMEN_VERSION);
	}
}

/* Turns off the kernel's rseq area, in which each thread would read the number of its real processor. */
static void drop_rseq(void)
{
	const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
	const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");

	if (!offset || !size || !*size)
		return;
	char *area = (char *)__builtin_ia32_rdfsbase64() + *offset;
	raw4(SYS_rseq, area, 32, 1 /* unregister */, 0x53053053);
	((int *)area)[1] = -2; /* cpu_id: registration failed, ask the kernel instead */
}

__attribute__((constructor(101))) static void begin(void)
{
	static const struct omen_site *frames[OMEN_FRAMES]; /* until the first fiber exists; each fiber has its own */

	map_fixed(OMEN_HOT_ADDRESS, 4096, MAP_PRIVATE | MAP_ANONYMOUS, -1, "the hot page");
	omen_hot->frames = frames;
	omen_hot->stamp = OMEN_UNWATCHED;
	dl_iterate_phdr(find_self, NULL);
	dl_iterate_phdr(find_libc, NULL);
	take_board();
	if (!is_first()) {
		if (omen.board)
			text_die("the C library stands before libomen.so in this program; link it with omen cc");
		return;
	}
	sync_start();
	omen.signal_point = UINT64_MAX;
	/* the runtime does not see how OpenMP's libraries spin, so they must sleep at once */
	setenv("GOMP_SPINCOUNT", "0", 0);
	setenv("KMP_BLOCKTIME", "0", 0);
	omen.pid = omen.tids = omen.board ? VIRTUAL_PID(0) : (uint32_t)raw0(SYS_getpid);
	kernel_time_start();
	if (omen.board)
		shadow_start();
	memory_start();
	op_begin();
	mode_set(BLIND, omen.board && omen.board->config.blind);
	mode_set(WITHOUT_SYNC, omen.board && omen.board->config.nwithout);
	mode_set(WEAK, omen.board && omen.board->config.memory.model == MEMORY_C11);
	mode_set(VOLATILE, omen.board && omen.board->config.memory.volatiles);
	mode_set(CXX20, omen.board && omen.board->config.memory.cxx20);
	mode_set(FREE_ORDER, omen.board && !omen.board->config.memory.ordered);
	mode_set(MERGE, omen.board && omen.board->config.merging && omen.board->config.detect == DETECT_RACES);
	mode_set(EXPLAIN, omen.board && omen.board->config.detect == DETECT_EXPLAIN);
	mode_set(NOTICE, omen.board && (omen.board->config.detect == DETECT_RACES ||
	                                omen.board->config.detect == DETECT_PRECISE));
	if (omen.board) {
		watch_start();
		if (mode_is(EXPLAIN))
			explain_start();
		mode_set(COUNT_TOUCHES, omen.board->nwatched);
	}
	fiber_adopt_main();
	drop_rseq();
	signals_start();
	sched_before_main();
	if (omen.board)
		raw2(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
	omen.off = 0;
	kernel_arm();
}

void omen_in_fork_child(void)
{
	omen.board = NULL;
	mode_set(TIMELINE, false);
	mode_set(PREDICT, false);
	mode_set(COUNT_OPS, false);
	mode_set(NOTICE, false);
	mode_set(SERVED, false);
	world_end_in_child();
	memory_leave();
	mode_set(WEAK, false); /* memory has the newest values */
	omen.pid = omen.tids = (uint32_t)raw0(SYS_getpid);
	fiber_keep_only_current();
	omen.current->tid = omen.pid;
	omen.io_waiters = 0;
	signals_forget_pending();
	kernel_disarm_timers();
	kernel_leave_processors();
	mode_threads_changed();
	sched_start();
	kernel_arm();
}

/* ---- main ---- */

static int (*program_main)(int, char **, char **);

static void *nothing(void *arg) { return arg; }

/*
 * Creates and joins two threads before main.  Then glibc has their stacks at hand, and has done what the first
 * pthread_create() does once.  Every execution of an exploration begins after that; all other executions do the same,
 * so that they see the same addresses.
 */
static void warm_up(void)
{
	bool ended = omen.fibers_ended;
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, nothing, NULL))
			text_die("cannot create a thread");
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	fiber_forget_ended();
	omen.fibers_ended = ended; /* these two did nothing */
}

/*
 * Sets the ids for the execution with this seed.  If a constructor has created threads, the old ids stay, because these
 * threads may hold locks under them.  Threads other than the first have ids that no process has: the numbers after the
 * process's own may belong to its children.
 */
static void take_identity(uint64_t seed)
{
	uint32_t real;
	bool known = world_pid(&real);

	if (omen.nlive > 1)
		return;
	omen.tids = VIRTUAL_PID(seed);
	omen.pid = known ? real : omen.tids;
	omen.current->tid = omen.pid;
	*omen.current->clear_tid = (int)omen.pid;
}

static int wrapped_main(int argc, char **argv, char **envp)
{
	if (omen.board && omen.board->config.mode == BOARD_SERVE)
		snapshot_prepare();
	if (omen.board && omen.nlive == 1) {
		warm_up();
		cells_close();
	}
	if (omen.board && omen.board->config.mode == BOARD_SERVE)
		snapshot_serve();
	if (omen.board && omen.board->config.mode == BOARD_RUN)
		omen.board->result.seed = omen.board->config.seed;
	sched_start();
	race_start();
	world_start();
	if (omen.board)
		take_identity(omen.board->result.seed);
	timeline_start();
	count_start();
	prediction_start();
	int status = program_main(argc, argv, envp);
	sync_ends();
	return status;
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
	            void *) = dlsym(RTLD_NEXT, "__libc_start_main");

	program_main = main;
	return real(wrapped_main, argc, argv, init, fini, rtld_fini, stack_end);
}
