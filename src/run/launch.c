/*
 * A program's addresses depend on five things: address randomisation (personality), the stack limit (the base of mmap),
 * the strings on the first stack page (argv, environment, path: all given), AT_RANDOM (stack protector and pointer
 * guard), and the vDSO, which also answers clock_gettime without a syscall. The last two are edited in the auxiliary
 * vector at the exec stop. That is the only moment when the kernel has finished with the vector and the dynamic linker
 * has not begun.
 */
#include "run/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "format/file.h"

#define STACK_LIMIT (8ul << 20)
#define FILES_LIMIT 1024ul /* more than BOARD_FD and CONTROL_FD */
#define RANDOM_LOW  0x0123456789abcdefL
#define RANDOM_HIGH 0x13579bdf02468aceL

/* The steps of the child between fork and exec that can fail. Some failures are only worth a warning. */
enum step { STEP_LIMITS, STEP_FILES, STEP_DIRECTORY, STEP_EXEC, STEP_RANDOMIZE, STEP_TRACE };

static const struct {
	const char *what;
	bool warning;
} steps[] = {
        [STEP_LIMITS] = {"cannot raise the limit of open files to 1024 (ulimit -n)", false},
        [STEP_FILES] = {"cannot place the board's descriptors", false},
        [STEP_DIRECTORY] = {"cannot change to its directory", false},
        [STEP_EXEC] = {"cannot execute it", false},
        [STEP_RANDOMIZE] = {"cannot switch address randomisation off, replays may differ", true},
        [STEP_TRACE] = {"ptrace is not permitted, replays may differ", true},
};

struct step_failure {
	enum step step;
	int error;
};

/* Unless the user says otherwise, waiting OpenMP threads sleep at once. */
static const char *const openmp_defaults[] = {"GOMP_SPINCOUNT=0", "KMP_BLOCKTIME=0"};

#define OPENMP_DEFAULTS (sizeof openmp_defaults / sizeof *openmp_defaults)

char **launch_environment(char *const *environment)
{
	size_t n = 0, count = 0;
	bool has[OPENMP_DEFAULTS] = {false};

	while (environment[count])
		count++;
	char **env = must_alloc((count + OPENMP_DEFAULTS + 2) * sizeof *env);
	for (size_t i = 0; i < count; i++) {
		if (!strncmp(environment[i], "OMEN_", 5))
			continue;
		for (size_t d = 0; d < OPENMP_DEFAULTS; d++)
			has[d] |= !strncmp(environment[i], openmp_defaults[d], strlen(openmp_defaults[d]) - 1);
		env[n++] = must_format("%s", environment[i]);
	}
	env[n++] = must_format("OMEN_BOARD=%d", BOARD_FD);
	for (size_t d = 0; d < OPENMP_DEFAULTS; d++)
		if (!has[d])
			env[n++] = must_format("%s", openmp_defaults[d]);
	return env;
}

const struct process process_nothing = {.pid = -1, .pidfd = -1, .control = -1, .program_control = -1, .board_fd = -1};

bool process_prepare(struct process *p, struct error *e)
{
	int pair[2];

	*p = process_nothing;
	p->board_fd = memfd_create("omen board", MFD_CLOEXEC);
	if (p->board_fd < 0 || ftruncate(p->board_fd, BOARD_MEMORY))
		return error_set(e, "cannot make the board (memfd of 69 GiB, sparse): %s", strerror(errno));
	p->board = mmap(NULL, BOARD_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, p->board_fd, 0);
	if (p->board == MAP_FAILED) {
		p->board = NULL;
		return error_set(e, "cannot map the board: %s", strerror(errno));
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return error_set(e, "cannot make a socket pair: %s", strerror(errno));
	p->control = pair[0];
	p->program_control = pair[1];
	p->board->config.magic = BOARD_MAGIC;
	memcpy(p->board->config.version, OMEN_VERSION, sizeof OMEN_VERSION);
	return true;
}

static void report_failure(int pipe, enum step step)
{
	struct step_failure f = {step, errno};

	if (write(pipe, &f, sizeof f) != sizeof f || !steps[step].warning)
		_exit(127);
}

static void set_limit(int pipe, int which, rlim_t soft, bool exactly)
{
	struct rlimit limit;

	getrlimit(which, &limit);
	if (!exactly && limit.rlim_cur >= soft)
		return;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	if (setrlimit(which, &limit) || (!exactly && limit.rlim_cur < soft))
		report_failure(pipe, STEP_LIMITS);
}

/* The program gets exactly the descriptors 0, 1, 2, BOARD_FD and CONTROL_FD. */
static void place_descriptors(int pipe, const struct launch *l, int board, int control)
{
	int streams[3];

	/* First move everything above the numbers that are about to be used, whatever the tool inherited. */
	board = fcntl(board, F_DUPFD, CONTROL_FD + 1);
	control = fcntl(control, F_DUPFD, CONTROL_FD + 1);
	for (int i = 0; i < 3; i++)
		streams[i] = fcntl(l->streams[i], F_DUPFD, CONTROL_FD + 1);
	for (int i = 0; i < 3; i++)
		if (dup2(streams[i], i) < 0)
			report_failure(pipe, STEP_FILES);
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
	if (dup2(board, BOARD_FD) < 0 || dup2(control, CONTROL_FD) < 0)
		report_failure(pipe, STEP_FILES);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void become_program(int pipe, const struct launch *l, int board, int control, pid_t tool)
{
	if (l->own_group)
		setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != tool)
		_exit(127);
	set_limit(pipe, RLIMIT_STACK, STACK_LIMIT, true);
	set_limit(pipe, RLIMIT_NOFILE, FILES_LIMIT, false);
	/* The pipe may have a number that a descriptor of the board needs. */
	pipe = fcntl(pipe, F_DUPFD_CLOEXEC, CONTROL_FD + 1);
	place_descriptors(pipe, l, board, control);
	if (l->cwd && chdir(l->cwd))
		report_failure(pipe, STEP_DIRECTORY);
	reset_signals();
	if (l->stopped) /* for Yama, which lets only ancestors attach; without Yama it fails and is not needed */
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	if (personality(ADDR_NO_RANDOMIZE) < 0)
		report_failure(pipe, STEP_RANDOMIZE);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		report_failure(pipe, STEP_TRACE);
	execve(l->path, l->argv, l->env);
	report_failure(pipe, STEP_EXEC);
	_exit(127);
}

static uint64_t peek(pid_t pid, uint64_t address) { return (uint64_t)ptrace(PTRACE_PEEKDATA, pid, address, 0); }

/* The stack at the exec stop: argc, argv, 0, envp, 0, then pairs (type, value) up to AT_NULL. */
static void edit_auxiliary_vector(pid_t pid)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, pid, 0, &registers))
		return;
	uint64_t at = registers.rsp;
	at += 8 * (peek(pid, at) + 2);
	while (peek(pid, at))
		at += 8;
	at += 8;
	for (uint64_t type; (type = peek(pid, at)) != AT_NULL; at += 16) {
		if (type == AT_RANDOM) {
			uint64_t bytes = peek(pid, at + 8);
			ptrace(PTRACE_POKEDATA, pid, bytes, RANDOM_LOW);
			ptrace(PTRACE_POKEDATA, pid, bytes + 8, RANDOM_HIGH);
		}
		if (type == AT_SYSINFO_EHDR)
			ptrace(PTRACE_POKEDATA, pid, at, AT_IGNORE);
	}
}

/* Waits for the exec stop and passes other signals on. */
static void control_exec(pid_t pid, bool stopped)
{
	int status;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (WSTOPSIG(status) == SIGTRAP) {
			edit_auxiliary_vector(pid);
			ptrace(PTRACE_DETACH, pid, 0, stopped ? SIGSTOP : 0);
			if (stopped)
				waitpid(pid, &status, WUNTRACED);
			return;
		}
		ptrace(PTRACE_CONT, pid, 0, WSTOPSIG(status));
	}
}

/*
 * The tool holds several descriptors for each worker, so it raises its own limit. Returns the limit it had before,
 * which the program gets.
 */
static struct rlimit raise_own_limit(void)
{
	struct rlimit before, wide;

	getrlimit(RLIMIT_NOFILE, &before);
	wide = before;
	wide.rlim_cur = wide.rlim_max;
	setrlimit(RLIMIT_NOFILE, &wide);
	return before;
}

bool process_start(struct process *p, const struct launch *l, struct error *e)
{
	static struct rlimit program_limit;
	static bool raised, warned[sizeof steps / sizeof steps[0]];
	int pipe[2];
	struct step_failure f;
	bool traced = true, ok = true;
	pid_t tool = getpid();

	if (!raised) {
		program_limit = raise_own_limit();
		raised = true;
	}
	if (pipe2(pipe, O_CLOEXEC))
		return error_set(e, "cannot make a pipe: %s", strerror(errno));
	p->pid = fork();
	if (!p->pid) {
		setrlimit(RLIMIT_NOFILE, &program_limit);
		become_program(pipe[1], l, p->board_fd, p->program_control, tool);
	}
	int error = errno;
	close(pipe[1]);
	close(p->program_control);
	p->program_control = -1;
	if (p->pid < 0) {
		close(pipe[0]);
		return error_set(e, "cannot start %s: fork: %s", l->argv[0], strerror(error));
	}
	if (l->own_group)
		setpgid(p->pid, p->pid);
	/* The pipe ends when exec closes the child's end of it. */
	while (read(pipe[0], &f, sizeof f) == sizeof f) {
		traced &= f.step != STEP_TRACE;
		if (!steps[f.step].warning)
			ok = error_set(e, "cannot start %s: %s: %s", l->argv[0], steps[f.step].what, strerror(f.error));
		else if (!warned[f.step])
			fprintf(stderr, "omen: warning: %s: %s\n", steps[f.step].what, strerror(f.error));
		warned[f.step] = true;
	}
	close(pipe[0]);
	if (ok && !traced && l->stopped)
		ok = error_set(e, "cannot stop %s for a debugger: ptrace is not permitted", l->argv[0]);
	if (ok && traced)
		control_exec(p->pid, l->stopped);
	if (ok)
		p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	return ok;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

int process_end(struct process *p)
{
	int status = 0;

	if (p->pid > 0) {
		/* A process that has ended keeps the number of its group until it is waited for. */
		if (getpgid(p->pid) == p->pid)
			kill(-p->pid, SIGKILL);
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close_if_open(p->pidfd);
	close_if_open(p->control);
	close_if_open(p->program_control);
	close_if_open(p->board_fd);
	if (p->board)
		munmap(p->board, BOARD_SIZE);
	*p = process_nothing;
	return status;
}
