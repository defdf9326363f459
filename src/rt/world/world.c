/*
 * The log is a row of entries behind the board: what was called, what came of it, and the bytes that the call wrote to
 * the program's memory.  The table says which those are.
 *
 * Some things are done for real in a replay too: memory is the process's own, and files that are only read are read
 * again; what comes of them is compared.  Output to the standard descriptors is shown again.
 */
#include "rt/world/world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/arena.h"
#include "rt/ending/ending.h"
#include "rt/kernel/fd_set.h"
#include "rt/model/model.h"
#include "rt/kernel/paths.h"
#include "rt/memory/memory_check.h"
#include "rt/fibers/sched.h"
#include "rt/core/text.h"
#include "abi/syscall_names.h"
#include "abi/world_log.h"

struct piece {
	void *at;
	uint64_t size;
};

#define ATTACHED_MOST 64

static struct {
	enum world_mode mode;
	uint64_t at;                          /* replay: the next entry */
	struct fdset files;                   /* descriptors of files that are read again */
	struct piece attached[ATTACHED_MOST]; /* replay: copies of shared memory */
	bool follows;                         /* the model goes along */
	bool locates;                         /* who writes a certain byte is looked for */
	bool polls_always;                    /* replay: of an older recording */
	long call_nr;                         /* replay: the call that is being answered, for messages */
	const long *call_arg;
} state;

/* ---- what calls write ---- */

enum rule {
	NOTHING,
	FIXED,  /* so many bytes, if it succeeds */
	RESULT, /* as many as it returns, of so many bytes each; with `of`, no more than that argument says */
	TYPED,  /* a long and as many as it returns */
	TIMES,  /* as many as argument `of` says, of so many bytes each */
	SIZED,  /* as many as argument `of` points to, before and after */
	VECTOR, /* as many as it returns, into the vector whose length is argument `of` */
	PAGES,  /* one for each page of as many as argument `of` says */
	BITS,   /* as many bits as argument `of` says, in longs */
	MESSAGE,
	MESSAGES, /* as many as it returns */
	SENT,     /* the lengths of as many messages as it returns */
	COUNTERS, /* of a set of semaphores */
};

struct output {
	uint8_t arg, rule, of;
	uint16_t bytes;
};

#define OUTPUTS 3

/* How a call is replayed. */
enum replay {
	FROM_LOG,
	FOR_REAL, /* done again, with the same result */
	OPENS,
	READS, /* from a file that is read again, or from the log */
	CLOSES,
	CLOSES_RANGE,
	COPIES, /* a descriptor */
	WRITES,
	MAPS,
	ATTACHES, /* shared memory of System V */
	DETACHES,
};

struct row {
	struct output output[OUTPUTS];
	uint8_t replay;
	bool known;
};

#define OUT_FIXED(arg, type) {arg, FIXED, 0, sizeof(type)}
#define OUT_RESULT(arg, n)   {arg, RESULT, (arg) + 1, n}
#define OUT_SIZED(arg, of)   {arg, SIZED, of, 0}
#define ROW(...)                                                                                                       \
	{                                                                                                              \
		.known = true, .output = { __VA_ARGS__ }                                                               \
	}
#define REAL {.known = true, .replay = FOR_REAL}

#define NR_MAX 512

/* clang-format off */
static const struct row rows[NR_MAX] = {
	[SYS_read] = {.known = true, .replay = READS, .output = {OUT_RESULT(1, 1)}},
	[SYS_pread64] = {.known = true, .replay = READS, .output = {OUT_RESULT(1, 1)}},
	[SYS_readv] = {.known = true, .replay = READS, .output = {{1, VECTOR, 2, 0}}},
	[SYS_preadv] = {.known = true, .replay = READS, .output = {{1, VECTOR, 2, 0}}},
	[SYS_preadv2] = {.known = true, .replay = READS, .output = {{1, VECTOR, 2, 0}}},
	[SYS_write] = {.known = true, .replay = WRITES}, [SYS_writev] = {.known = true, .replay = WRITES},
	[SYS_pwrite64] = {.known = true}, [SYS_pwritev] = {.known = true}, [SYS_pwritev2] = {.known = true},
	[SYS_open] = {.known = true, .replay = OPENS}, [SYS_openat] = {.known = true, .replay = OPENS},
	[SYS_openat2] = {.known = true, .replay = OPENS}, [SYS_open_by_handle_at] = ROW(), [SYS_open_tree] = ROW(),
	[SYS_close] = {.known = true, .replay = CLOSES}, [SYS_close_range] = {.known = true, .replay = CLOSES_RANGE},
	[SYS_dup] = {.known = true, .replay = COPIES}, [SYS_dup2] = {.known = true, .replay = COPIES},
	[SYS_dup3] = {.known = true, .replay = COPIES},
	[SYS_fcntl] = {.known = true, .replay = COPIES},
	[SYS_lseek] = {.known = true, .replay = READS},
	[SYS_recvfrom] = ROW({1, RESULT, 2, 1}, OUT_SIZED(4, 5)),
	[SYS_recvmsg] = ROW({1, MESSAGE, 0, 0}), [SYS_recvmmsg] = ROW({1, MESSAGES, 2, 0}, OUT_FIXED(4, struct timespec)),
	[SYS_sendto] = ROW(), [SYS_sendmsg] = ROW(), [SYS_sendmmsg] = ROW({1, SENT, 0, 0}),
	[SYS_accept] = ROW(OUT_SIZED(1, 2)), [SYS_accept4] = ROW(OUT_SIZED(1, 2)),
	[SYS_getsockname] = ROW(OUT_SIZED(1, 2)), [SYS_getpeername] = ROW(OUT_SIZED(1, 2)),
	[SYS_getsockopt] = ROW(OUT_SIZED(3, 4)), [SYS_setsockopt] = ROW(),
	[SYS_socket] = ROW(), [SYS_bind] = ROW(), [SYS_listen] = ROW(), [SYS_connect] = ROW(), [SYS_shutdown] = ROW(),
	[SYS_pipe] = ROW({0, FIXED, 0, 8}), [SYS_pipe2] = ROW({0, FIXED, 0, 8}), [SYS_socketpair] = ROW({3, FIXED, 0, 8}),
	[SYS_eventfd] = ROW(), [SYS_eventfd2] = ROW(), [SYS_epoll_create] = ROW(), [SYS_epoll_create1] = ROW(),
	[SYS_epoll_ctl] = ROW(), [SYS_epoll_wait] = ROW(OUT_RESULT(1, sizeof(struct epoll_event))),
	[SYS_poll] = ROW({0, TIMES, 1, sizeof(struct pollfd)}), [SYS_ppoll] = ROW({0, TIMES, 1, sizeof(struct pollfd)}),
	[SYS_flock] = ROW(), [SYS_fsync] = ROW(), [SYS_fdatasync] = ROW(), [SYS_sync] = ROW(), [SYS_ftruncate] = ROW(),
	[SYS_truncate] = ROW(), [SYS_fallocate] = ROW(), [SYS_fadvise64] = ROW(), [SYS_readahead] = ROW(),
	[SYS_syncfs] = ROW(), [SYS_sync_file_range] = ROW(), [SYS_mknod] = ROW(), [SYS_mknodat] = ROW(),
	[SYS_rename] = ROW(), [SYS_renameat] = ROW(), [SYS_renameat2] = ROW(), [SYS_unlink] = ROW(), [SYS_unlinkat] = ROW(),
	[SYS_mkdir] = ROW(), [SYS_mkdirat] = ROW(), [SYS_rmdir] = ROW(), [SYS_link] = ROW(), [SYS_linkat] = ROW(),
	[SYS_symlink] = ROW(), [SYS_symlinkat] = ROW(), [SYS_chmod] = ROW(), [SYS_fchmod] = ROW(), [SYS_fchmodat] = ROW(),
	[SYS_chown] = ROW(), [SYS_fchown] = ROW(), [SYS_lchown] = ROW(), [SYS_fchownat] = ROW(), [SYS_utimensat] = ROW(),
	[SYS_utime] = ROW(), [SYS_utimes] = ROW(), [SYS_futimesat] = ROW(), [SYS_chroot] = ROW(), [SYS_pivot_root] = ROW(),
	[SYS_mount] = ROW(), [SYS_umount2] = ROW(), [SYS_fsopen] = ROW(), [SYS_fsconfig] = ROW(), [SYS_fsmount] = ROW(),
	[SYS_fspick] = ROW(), [SYS_move_mount] = ROW(), [SYS_mount_setattr] = ROW(), [SYS_swapon] = ROW(),
	[SYS_swapoff] = ROW(), [SYS_reboot] = ROW(), [SYS_acct] = ROW(), [SYS_vhangup] = ROW(),
	[SYS_setns] = ROW(), [SYS_unshare] = ROW(),
	[SYS_access] = ROW(), [SYS_faccessat] = ROW(), [SYS_faccessat2] = ROW(), [SYS_chdir] = ROW(), [SYS_fchdir] = ROW(),
	[SYS_umask] = ROW(), [SYS_creat] = ROW(), [SYS_memfd_create] = ROW(), [SYS_memfd_secret] = ROW(),
	[SYS_fstat] = ROW(OUT_FIXED(1, struct stat)), [SYS_stat] = ROW(OUT_FIXED(1, struct stat)),
	[SYS_lstat] = ROW(OUT_FIXED(1, struct stat)), [SYS_newfstatat] = ROW(OUT_FIXED(2, struct stat)),
	[SYS_statx] = ROW({4, FIXED, 0, 256}), [SYS_statfs] = ROW(OUT_FIXED(1, struct statfs)),
	[SYS_fstatfs] = ROW(OUT_FIXED(1, struct statfs)),
	[SYS_getdents64] = ROW(OUT_RESULT(1, 1)), [SYS_getdents] = ROW(OUT_RESULT(1, 1)), [SYS_ustat] = ROW({1, FIXED, 0, 32}),
	[SYS_readlink] = ROW(OUT_RESULT(1, 1)),
	[SYS_readlinkat] = ROW(OUT_RESULT(2, 1)), [SYS_getcwd] = ROW(OUT_RESULT(0, 1)),
	[SYS_getxattr] = ROW({2, RESULT, 3, 1}), [SYS_fgetxattr] = ROW({2, RESULT, 3, 1}),
	[SYS_lgetxattr] = ROW({2, RESULT, 3, 1}), [SYS_listxattr] = ROW({1, RESULT, 2, 1}),
	[SYS_flistxattr] = ROW({1, RESULT, 2, 1}), [SYS_llistxattr] = ROW({1, RESULT, 2, 1}),
	[SYS_setxattr] = ROW(), [SYS_fsetxattr] = ROW(), [SYS_lsetxattr] = ROW(),
	[SYS_removexattr] = ROW(), [SYS_fremovexattr] = ROW(), [SYS_lremovexattr] = ROW(),
	[SYS_uname] = ROW(OUT_FIXED(0, struct utsname)), [SYS_sysinfo] = ROW(OUT_FIXED(0, struct sysinfo)),
	[SYS_getrusage] = ROW(OUT_FIXED(1, struct rusage)), [SYS_getrlimit] = ROW(OUT_FIXED(1, struct rlimit)),
	[SYS_setrlimit] = ROW(), [SYS_prlimit64] = ROW(OUT_FIXED(3, struct rlimit)),
	[SYS_clock_gettime] = ROW(OUT_FIXED(1, struct timespec)), [SYS_clock_getres] = ROW(OUT_FIXED(1, struct timespec)),
	[SYS_gettimeofday] = ROW(OUT_FIXED(0, struct timeval)), [SYS_times] = ROW(OUT_FIXED(0, struct tms)),
	[SYS_adjtimex] = ROW(OUT_FIXED(0, struct timex)), [SYS_clock_adjtime] = ROW(OUT_FIXED(1, struct timex)),
	[SYS_clock_settime] = ROW(), [SYS_settimeofday] = ROW(),
	[SYS_wait4] = ROW({1, FIXED, 0, 4}, OUT_FIXED(3, struct rusage)),
	[SYS_waitid] = ROW(OUT_FIXED(2, siginfo_t), OUT_FIXED(4, struct rusage)),
	[SYS_getuid] = ROW(), [SYS_geteuid] = ROW(), [SYS_getgid] = ROW(), [SYS_getegid] = ROW(), [SYS_getppid] = ROW(),
	[SYS_getpid] = ROW(),
	[SYS_getpgrp] = ROW(), [SYS_getpgid] = ROW(), [SYS_getsid] = ROW(), [SYS_setsid] = ROW(), [SYS_setpgid] = ROW(),
	[SYS_getgroups] = ROW({1, RESULT, 0, 4}), [SYS_setreuid] = ROW(), [SYS_setregid] = ROW(), [SYS_setresuid] = ROW(),
	[SYS_setresgid] = ROW(), [SYS_setfsuid] = ROW(), [SYS_setfsgid] = ROW(), [SYS_sethostname] = ROW(),
	[SYS_setdomainname] = ROW(), [SYS_personality] = ROW(), [SYS_capget] = ROW({0, FIXED, 0, 8}, {1, FIXED, 0, 24}),
	[SYS_capset] = ROW(), [SYS_syslog] = ROW({1, RESULT, 2, 1}), [SYS_kcmp] = ROW(), [SYS_add_key] = ROW(),
	[SYS_request_key] = ROW(), [SYS_landlock_create_ruleset] = ROW(), [SYS_landlock_add_rule] = ROW(),
	[SYS_landlock_restrict_self] = ROW(), [SYS_setuid] = ROW(), [SYS_setgid] = ROW(), [SYS_setgroups] = ROW(),
	[SYS_getresuid] = ROW({0, FIXED, 0, 4}, {1, FIXED, 0, 4}, {2, FIXED, 0, 4}),
	[SYS_getresgid] = ROW({0, FIXED, 0, 4}, {1, FIXED, 0, 4}, {2, FIXED, 0, 4}),
	[SYS_sched_getaffinity] = ROW({2, RESULT, 1, 1}), [SYS_getpriority] = ROW(), [SYS_setpriority] = ROW(),
	[SYS_sched_get_priority_max] = ROW(), [SYS_sched_get_priority_min] = ROW(), [SYS_sched_getscheduler] = ROW(),
	[SYS_sched_setscheduler] = ROW(), [SYS_sched_setparam] = ROW(), [SYS_sched_setattr] = ROW(),
	[SYS_sched_setaffinity] = ROW(), [SYS_sched_getparam] = ROW({1, FIXED, 0, 4}),
	[SYS_sched_getattr] = ROW({1, TIMES, 2, 1}), [SYS_sched_rr_get_interval] = ROW(OUT_FIXED(1, struct timespec)),
	[SYS_ioprio_get] = ROW(), [SYS_ioprio_set] = ROW(),
	[SYS_sendfile] = ROW({2, FIXED, 0, 8}), [SYS_splice] = ROW({1, FIXED, 0, 8}, {3, FIXED, 0, 8}),
	[SYS_copy_file_range] = ROW({1, FIXED, 0, 8}, {3, FIXED, 0, 8}),
	[SYS_tee] = ROW(), [SYS_vmsplice] = ROW({1, VECTOR, 2, 0}), [SYS_process_vm_readv] = ROW({1, VECTOR, 2, 0}),
	[SYS_process_vm_writev] = ROW(), [SYS_pidfd_open] = ROW(), [SYS_pidfd_getfd] = ROW(), [SYS_pidfd_send_signal] = ROW(),
	[SYS_inotify_init] = ROW(), [SYS_inotify_init1] = ROW(), [SYS_inotify_add_watch] = ROW(), [SYS_inotify_rm_watch] = ROW(),
	[SYS_kill] = ROW(), [SYS_signalfd] = ROW(), [SYS_signalfd4] = ROW(), [SYS_mlock] = REAL, [SYS_munlock] = REAL,
	[SYS_ioctl] = ROW(),
	[SYS_shmget] = ROW(), [SYS_shmctl] = ROW(), [SYS_shmat] = {.known = true, .replay = ATTACHES},
	[SYS_shmdt] = {.known = true, .replay = DETACHES},
	[SYS_semget] = ROW(), [SYS_semop] = ROW(), [SYS_semtimedop] = ROW(), [SYS_semctl] = ROW(),
	[SYS_msgget] = ROW(), [SYS_msgsnd] = ROW(), [SYS_msgrcv] = ROW({1, TYPED, 0, 0}), [SYS_msgctl] = ROW(),
	[SYS_mq_open] = ROW(), [SYS_mq_unlink] = ROW(), [SYS_mq_timedsend] = ROW(), [SYS_mq_notify] = ROW(),
	[SYS_mq_timedreceive] = ROW(OUT_RESULT(1, 1), {3, FIXED, 0, 4}), [SYS_mq_getsetattr] = ROW({2, FIXED, 0, 64}),

	[SYS_mmap] = {.known = true, .replay = MAPS},
	[SYS_munmap] = REAL, [SYS_mremap] = REAL, [SYS_mprotect] = REAL, [SYS_brk] = REAL, [SYS_madvise] = REAL,
	[SYS_mlock2] = REAL, [SYS_mlockall] = REAL, [SYS_munlockall] = REAL, [SYS_mbind] = REAL, [SYS_set_mempolicy] = REAL,
	[SYS_mincore] = ROW({2, PAGES, 1, 0}), [SYS_get_mempolicy] = ROW({0, FIXED, 0, 4}, {1, BITS, 2, 0}),
	[SYS_msync] = ROW(), [SYS_arch_prctl] = REAL, [SYS_prctl] = REAL, [SYS_membarrier] = REAL, [SYS_pkey_alloc] = REAL,
	[SYS_pkey_free] = REAL, [SYS_pkey_mprotect] = REAL, [SYS_sigaltstack] = REAL, [SYS_rt_sigaction] = REAL,
	[SYS_rt_sigprocmask] = REAL, [SYS_get_robust_list] = REAL, [SYS_set_robust_list] = REAL, [SYS_getcpu] = REAL,
};
/* clang-format on */

/* Calls that are many: what they write depends on a command. */
static const struct {
	uint16_t nr;
	uint8_t command_arg, arg;
	uint32_t command;
	uint16_t bytes;
} commands[] = {
        {SYS_ioctl, 1, 2, TCGETS, 36},
        {SYS_ioctl, 1, 2, TCGETA, 18},
        {SYS_ioctl, 1, 2, TIOCGPGRP, 4},
        {SYS_ioctl, 1, 2, TIOCGSID, 4},
        {SYS_ioctl, 1, 2, TIOCGETD, 4},
        {SYS_ioctl, 1, 2, TIOCMGET, 4},
        {SYS_ioctl, 1, 2, TIOCOUTQ, 4},
        {SYS_ioctl, 1, 2, TIOCGWINSZ, sizeof(struct winsize)},
        {SYS_ioctl, 1, 2, FIONREAD, 4},
        {SYS_ioctl, 1, 2, SIOCATMARK, 4},
        {SYS_ioctl, 1, 2, 1 /* FIBMAP */, 4},
        {SYS_ioctl, 1, 2, 2 /* FIGETBSZ */, 4},
        {SYS_ioctl, 1, 2, 0x1260 /* BLKGETSIZE */, 8},
        {SYS_ioctl, 1, 2, 0x1268 /* BLKSSZGET */, 4},
        {SYS_fcntl, 1, 2, F_GETLK, sizeof(struct flock)},
        {SYS_fcntl, 1, 2, F_OFD_GETLK, sizeof(struct flock)},
        {SYS_fcntl, 1, 2, F_GETOWN_EX, sizeof(struct f_owner_ex)},
        {SYS_fcntl, 1, 2, F_GET_RW_HINT, 8},
        {SYS_fcntl, 1, 2, F_GET_FILE_RW_HINT, 8},
        {SYS_shmctl, 1, 2, IPC_STAT, sizeof(struct shmid_ds)},
        {SYS_shmctl, 1, 2, SHM_STAT, sizeof(struct shmid_ds)},
        {SYS_shmctl, 1, 2, IPC_INFO, sizeof(struct shminfo)},
        {SYS_shmctl, 1, 2, SHM_INFO, sizeof(struct shm_info)},
        {SYS_msgctl, 1, 2, IPC_STAT, sizeof(struct msqid_ds)},
        {SYS_msgctl, 1, 2, MSG_STAT, sizeof(struct msqid_ds)},
        {SYS_msgctl, 1, 2, IPC_INFO, sizeof(struct msginfo)},
        {SYS_msgctl, 1, 2, MSG_INFO, sizeof(struct msginfo)},
        {SYS_semctl, 2, 3, IPC_STAT, sizeof(struct semid_ds)},
        {SYS_semctl, 2, 3, SEM_STAT, sizeof(struct semid_ds)},
        {SYS_semctl, 2, 3, IPC_INFO, sizeof(struct seminfo)},
        {SYS_semctl, 2, 3, SEM_INFO, sizeof(struct seminfo)},
};

static struct output command_output(long nr, const long arg[6])
{
	uint32_t command = (uint32_t)arg[1];

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (commands[i].nr == nr && commands[i].command == (uint32_t)arg[commands[i].command_arg])
			return (struct output){commands[i].arg, FIXED, 0, commands[i].bytes};
	if (nr == SYS_semctl && arg[2] == GETALL)
		return (struct output){3, COUNTERS, 0, 2};
	if (nr == SYS_ioctl && command >> 8 == SIOCGIFNAME >> 8 && command != SIOCGIFCONF) /* of network devices */
		return (struct output){2, FIXED, 0, sizeof(struct ifreq)};
	if (nr == SYS_ioctl && command >> 30 & 2) /* the number tells */
		return (struct output){2, FIXED, 0, (uint16_t)(command >> 16 & 0x3fff)};
	return (struct output){0};
}

/* The bytes that a call writes, piece by piece; sizes that it also reads are taken before it is made. */

#define PIECES        4096 /* vectors have at most 1024, messages some more: too much for a stack */
#define MESSAGES_MOST 1024

struct pieces {
	struct piece at[PIECES];
	uint32_t n, socklen[OUTPUTS];
	struct {
		uint32_t name, control;
	} room[MESSAGES_MOST]; /* of messages */
	uint64_t counters;     /* bytes of what only the kernel knows the number of */
	bool cut;              /* there were more */
};

static void add(struct pieces *p, const void *at, uint64_t size)
{
	if (!at || !size)
		return;
	if (p->n < PIECES)
		p->at[p->n++] = (struct piece){(void *)at, size};
	else
		p->cut = true;
}

static void add_vector(struct pieces *p, const struct iovec *iov, uint64_t count, long result)
{
	for (uint64_t i = 0, left = (uint64_t)result; i < count && left; i++) {
		uint64_t n = iov[i].iov_len < left ? iov[i].iov_len : left;
		add(p, iov[i].iov_base, n);
		left -= n;
	}
}

static void before_message(struct pieces *p, uint32_t i, const struct msghdr *m)
{
	p->room[i].name = m->msg_name ? m->msg_namelen : 0;
	p->room[i].control = m->msg_control ? (uint32_t)m->msg_controllen : 0;
}

static void after_message(struct pieces *p, uint32_t i, const struct msghdr *m, long result)
{
	add(p, &m->msg_namelen, sizeof(m->msg_namelen));
	add(p, &m->msg_controllen, sizeof(m->msg_controllen));
	add(p, &m->msg_flags, sizeof(m->msg_flags));
	add(p, m->msg_name, p->room[i].name);
	add(p, m->msg_control, p->room[i].control);
	add_vector(p, m->msg_iov, m->msg_iovlen, result);
}

static void before(struct pieces *p, const struct row *r, const long arg[6])
{
	p->n = 0;
	p->cut = false;
	if (r->output[0].rule == MESSAGE)
		before_message(p, 0, (const void *)arg[1]);
	for (uint32_t i = 0; r->output[0].rule == MESSAGES && i < (uint32_t)arg[2] && i < MESSAGES_MOST; i++)
		before_message(p, i, &((const struct mmsghdr *)arg[1])[i].msg_hdr);
	for (int i = 0; i < OUTPUTS; i++)
		if (r->output[i].rule == SIZED && arg[r->output[i].arg] && arg[r->output[i].of])
			p->socklen[i] = *(const uint32_t *)arg[r->output[i].of];
}

static void after_messages(struct pieces *p, enum rule rule, const struct mmsghdr *m, long n)
{
	for (uint32_t i = 0; i < n && i < MESSAGES_MOST; i++)
		add(p, &m[i].msg_len, sizeof(m[i].msg_len));
	for (uint32_t i = 0; rule == MESSAGES && i < n && i < MESSAGES_MOST; i++)
		after_message(p, i, &m[i].msg_hdr, m[i].msg_len);
}

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void after(struct pieces *p, long nr, const struct row *r, const long arg[6], long result)
{
	for (int i = 0; i < OUTPUTS; i++) {
		struct output o = i || r->output[0].rule ? r->output[i] : command_output(nr, arg);
		void *at = (void *)arg[o.arg];
		if (o.rule == NOTHING || !at || result < 0)
			continue;
		switch (o.rule) {
		case FIXED:
			add(p, at, o.bytes);
			break;
		case RESULT:
			add(p, at, lesser((uint64_t)result, (uint64_t)(o.of ? arg[o.of] : result)) * o.bytes);
			break;
		case TYPED:
			add(p, at, sizeof(long) + (uint64_t)result);
			break;
		case PAGES:
			add(p, at, ((uint64_t)arg[o.of] + 4095) / 4096);
			break;
		case BITS:
			add(p, at, ((uint64_t)arg[o.of] + 63) / 64 * 8);
			break;
		case COUNTERS:
			add(p, at, p->counters);
			break;
		case TIMES:
			add(p, at, (uint64_t)arg[o.of] * o.bytes);
			break;
		case SIZED:
			add(p, (void *)arg[o.of], 4);
			add(p, at, p->socklen[i]);
			break;
		case VECTOR:
			add_vector(p, at, (uint64_t)arg[o.of], result);
			break;
		case MESSAGE:
			after_message(p, 0, at, result);
			break;
		default:
			after_messages(p, o.rule, at, result);
		}
	}
}

/* ---- the log ---- */

static uint8_t *log_at(uint64_t at) { return (uint8_t *)BOARD_LOG_ADDRESS + at; }

static uint64_t padded(uint64_t n) { return (n + 7) & ~7ul; }

static void append(const struct world_entry *e, const struct pieces *p)
{
	struct board *b = omen.board;
	uint64_t at = b->log_bytes, end = at + sizeof(*e) + padded(e->bytes);

	if (end > WORLD_LOG_SIZE) {
		state.mode = WORLD_REAL;
		b->log_full = 1;
		return;
	}
	memcpy(log_at(at), e, sizeof(*e));
	at += sizeof(*e);
	for (uint32_t i = 0; i < p->n; at += p->at[i++].size)
		memcpy(log_at(at), p->at[i].at, p->at[i].size);
	sched_settle();
	__atomic_store_n(&b->log_bytes, end, __ATOMIC_RELEASE);
}

static uint64_t entry_size(const struct world_entry *e) { return sizeof(*e) + padded(e->bytes); }

static const struct world_entry *whole_entry(uint64_t at)
{
	return at < omen.board->log_bytes ? world_entry_in(log_at(at), omen.board->log_bytes - at) : NULL;
}

/* The next answer; what was there before is for executions that leave the recording. */
static const struct world_entry *next_entry(void)
{
	while (state.at < omen.board->log_bytes) {
		const struct world_entry *e = (const struct world_entry *)log_at(state.at);
		if (e->kind == WORLD_CALL || e->kind == WORLD_SIGNAL || e->kind == WORLD_LOOK)
			return e;
		state.at += entry_size(e);
	}
	return NULL;
}

/* When the next signal is due is known once it is the next entry; behind the last one of a cut log any may have come.
 */
static void look_ahead(void)
{
	const struct world_entry *e = next_entry();

	omen.signal_point = UINT64_MAX;
	if (!e && omen.board->cut)
		omen.signal_point = omen.board->cut_point;
	else if (e && e->kind == WORLD_SIGNAL)
		omen.signal_point = (uint64_t)e->result;
}

static void pass(const struct world_entry *e)
{
	state.at += entry_size(e);
	look_ahead();
}

static const char *call_name(long nr)
{
	static const char *const names[] = {
#define X(name) [SYS_##name] = #name,
	        SYSCALLS(X)
#undef X
	};

	return nr >= 0 && (uint64_t)nr < sizeof(names) / sizeof(*names) && names[nr] ? names[nr] : "syscall";
}

/* "write(1, 0x7fffffffe000, 0xc)", the first arguments: the call that the replay makes. */
static const char *call_made(void)
{
	static char text[160];
	const long *arg = state.call_arg;

	if (arg)
		text_format(text, sizeof(text),
		            arg[0] == (int)arg[0] ? "%s(%ld, 0x%lx, 0x%lx)" : "%s(0x%lx, 0x%lx, 0x%lx)",
		            call_name(state.call_nr), arg[0], arg[1], arg[2]);
	else
		text_format(text, sizeof(text), "%s", call_name(state.call_nr));
	return text;
}

/* "read(5, …) = 12": what the recording has. */
static const char *call_recorded(const struct world_entry *e)
{
	static char text[160];

	if (!e)
		return "nothing more";
	if (e->kind == WORLD_SIGNAL)
		text_format(text, sizeof(text), "signal %d at point %ld", *(const int *)(e + 1), (long)e->result);
	else if (e->kind == WORLD_LOOK)
		return "a look at the state";
	else
		text_format(text, sizeof(text), "%s(%d, …) = %ld", call_name(e->nr), e->fd, (long)e->result);
	return text;
}

static void __attribute__((noreturn)) differs(const char *what, long is, long was)
{
	ending_fail(ENDING_DIVERGED, "replay desynchronised at point %lu, in T%u, %s: %s %ld, recorded was %ld",
	            omen.points, omen.current->id, call_made(), what, is, was);
}

/* The answer that was recorded for this call; the replay ends where there is none. */
static const struct world_entry *recorded(long nr, const long *arg)
{
	const struct world_entry *e = next_entry();

	state.call_nr = nr;
	state.call_arg = arg;
	if (!e && omen.board->cut)
		ending_cut();
	if (!e || e->kind != WORLD_CALL || e->nr != nr)
		ending_fail(ENDING_DIVERGED, "replay desynchronised at point %lu: T%u calls %s, the recording has %s",
		            omen.points, omen.current->id, call_made(), call_recorded(e));
	return e;
}

/* ---- hashes of what is not in the log ---- */

static uint64_t hash(uint64_t h, const void *data, uint64_t n)
{
	const uint8_t *p = data;

	for (; n >= 8; n -= 8, p += 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = (h ^ word) * 0x9fb21c651e98df25u;
		h ^= h >> 29;
	}
	for (; n; n--)
		h = (h ^ *p++) * 0x100000001b3u;
	return h;
}

static uint64_t hash_pieces(const struct pieces *p)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (uint32_t i = 0; i < p->n; i++)
		h = hash(h, p->at[i].at, p->at[i].size);
	return h;
}

static bool writes_buffer(long nr) { return nr == SYS_write || nr == SYS_pwrite64 || nr == SYS_sendto; }

uint64_t world_written(long nr, const long arg[6], long result)
{
	static struct pieces p;
	const struct msghdr *m = (const void *)arg[1];

	if (result <= 0)
		return 0;
	p.n = 0;
	if (writes_buffer(nr))
		add(&p, (const void *)arg[1], lesser((uint64_t)result, (uint64_t)arg[2]));
	else if (nr == SYS_writev || nr == SYS_pwritev || nr == SYS_pwritev2)
		add_vector(&p, (const void *)arg[1], (uint64_t)arg[2], result);
	else if (nr == SYS_sendmsg)
		add_vector(&p, m->msg_iov, m->msg_iovlen, result);
	return hash_pieces(&p);
}

/* ---- files that are only read ---- */

/* The names of what the program has changed, or may have: their hashes. */
static struct {
	uint64_t *slot;
	uint32_t room, used;
} touched;

static uint64_t *changed_slot(uint64_t h)
{
	uint32_t at = (uint32_t)h & (touched.room - 1);

	while (touched.slot[at] && touched.slot[at] != h)
		at = (at + 1) & (touched.room - 1);
	return &touched.slot[at];
}

static uint64_t hash_name(const char *name) { return hash(0xcbf29ce484222325u, name, strlen(name)) | 1; }

static bool was_changed(const char *name) { return touched.room && *changed_slot(hash_name(name)); }

static void note_changed(const char *name)
{
	uint64_t *old = touched.slot;
	uint32_t n = touched.room;

	if (touched.used * 2 >= n) {
		touched.room = n ? 2 * n : 1024;
		touched.slot = arena_alloc(touched.room * sizeof(*old));
		for (uint32_t i = 0; i < n; i++)
			if (old[i])
				*changed_slot(old[i]) = old[i];
	}
	uint64_t h = hash_name(name), *slot = changed_slot(h);
	touched.used += !*slot;
	*slot = h;
}

/* Is it a file that will be there again, as it is now?  What the kernel makes up has no size. */
static bool is_plain_file(long fd, long flags, const char *name)
{
	struct stat st;

	if (omen.board->config.record_files || !*name || was_changed(name))
		return false;
	return (flags & O_ACCMODE) == O_RDONLY && raw2(SYS_fstat, fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size;
}

static long open_flags(long nr, const long arg[6])
{
	if (nr == SYS_openat2)
		return (long)((const struct open_how *)arg[2])->flags;
	return arg[nr == SYS_open ? 1 : 2];
}

/* A file that is mapped is not read through: its size and time must do. */
static uint64_t state_of_file(long fd)
{
	struct stat st = {0};

	raw2(SYS_fstat, fd, &st);
	return hash(hash(1, &st.st_size, sizeof(st.st_size)), &st.st_mtim, sizeof(st.st_mtim));
}

/* Puts the descriptor where the recording has it. */
static void move_to(long fd, long wanted)
{
	if (fd == wanted)
		return;
	raw3(SYS_dup3, fd, wanted, O_CLOEXEC);
	raw1(SYS_close, fd);
}

static void note_all_changed(void)
{
	static bool done;

	const struct world_entry *e;
	for (uint64_t at = 0; !done && (e = whole_entry(at)); at += entry_size(e)) {
		const char *name = (const char *)(e + 1);
		if (e->kind == WORLD_BEFORE && strnlen(name, e->bytes) < e->bytes)
			note_changed(name);
	}
	done = true;
}

/* What the log has of a file that the program changed later: as it was before. */
static const struct world_entry *kept_before(const char *path)
{
	size_t size = strlen(path) + 1;

	note_all_changed();
	if (!was_changed(path))
		return NULL;
	const struct world_entry *e;
	for (uint64_t at = 0; (e = whole_entry(at)); at += entry_size(e))
		if (e->kind == WORLD_BEFORE && e->result == 0 && e->bytes >= size + sizeof(struct stat) &&
		    !memcmp(e + 1, path, size))
			return e;
	return NULL;
}

/* A file that has the contents of the log; none where the log has them not, or not all. */
static long open_kept(const char *path)
{
	const struct world_entry *e = kept_before(path);
	size_t skip = strlen(path) + 1 + sizeof(struct stat);
	struct stat st;

	if (!e)
		return -ENOENT;
	memcpy(&st, (const uint8_t *)(e + 1) + skip - sizeof(st), sizeof(st));
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size != e->bytes - skip)
		return -ENOENT;
	long fd = raw2(SYS_memfd_create, "omen", 1 /* MFD_CLOEXEC */), n;
	for (uint64_t done = 0; fd >= 0 && done < (uint64_t)st.st_size; done += (uint64_t)n)
		if ((n = raw4(SYS_pwrite64, fd, (const uint8_t *)(e + 1) + skip + done, (uint64_t)st.st_size - done,
		              done)) <= 0)
			break;
	const struct timespec times[2] = {st.st_atim, st.st_mtim}; /* by which a mapped file is known again */
	raw4(SYS_utimensat, fd, NULL, times, 0);
	return fd;
}

static void open_again(const struct world_entry *e)
{
	const char *path = e->names ? world_names(e) : "";
	long fd = open_kept(path);
	if (fd < 0) /* it was a plain file, but who knows what it is now */
		fd = raw3(SYS_open, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		ending_fail(ENDING_DIVERGED, "the file %s that was read is not there any more (error %ld)", path, -fd);
	move_to(fd, e->result);
	fdset_put(&state.files, e->result, true);
}

/* Closes what was opened again, too, of a range of descriptors. */
static void forget_range(const long arg[6], long result)
{
	for (long fd = arg[0]; !result && !(arg[2] & CLOSE_RANGE_CLOEXEC) && fd <= arg[1] && fd < FDSET_MOST; fd++) {
		if (state.mode == WORLD_REPLAY && fdset_has(&state.files, fd))
			raw1(SYS_close, fd);
		fdset_put(&state.files, fd, false);
	}
}

/* ---- System V's sets and memory ---- */

static uint64_t semaphores_of(long id)
{
	struct semid_ds set = {0};

	raw4(SYS_semctl, id, 0, IPC_STAT, &set);
	return set.sem_nsems;
}

static uint64_t shared_size(long id)
{
	struct shmid_ds segment = {0};

	raw3(SYS_shmctl, id, IPC_STAT, &segment);
	return segment.shm_segsz;
}

static bool is_error(long result) { return result < 0 && result > -4096; }

/* A replay has a copy of its own, as it was when it was attached. */
static void attach_again(const struct world_entry *e)
{
	long size = (long)((e->bytes + 4095ul) & ~4095ul);

	if (is_error(e->result))
		return;
	long at = raw6(SYS_mmap, e->result, size, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at != e->result)
		differs("address of shared memory", at, e->result);
	memcpy((void *)at, e + 1, e->bytes);
	for (size_t i = 0; i < ATTACHED_MOST; i++)
		if (!state.attached[i].size) {
			state.attached[i] = (struct piece){(void *)at, (uint64_t)size};
			return;
		}
}

static void detach_again(long at)
{
	for (size_t i = 0; i < ATTACHED_MOST; i++)
		if (state.attached[i].size && (long)state.attached[i].at == at) {
			raw2(SYS_munmap, at, state.attached[i].size);
			state.attached[i].size = 0;
		}
}

/* ---- recording ---- */

struct named {
	char name[NAMES_MOST][NAME_SIZE];
	uint32_t size[NAMES_MOST], count;
	bool too_much; /* is below the first */
};

/* Reads a file into the log; how much of it came. */
static uint32_t log_contents(const char *name, uint64_t at, const struct stat *st)
{
	uint64_t done = 0, size = (uint64_t)st->st_size;

	if (S_ISLNK(st->st_mode)) {
		long got = raw3(SYS_readlink, name, log_at(at), NAME_SIZE);
		return got > 0 ? (uint32_t)got : 0;
	}
	long fd = raw3(SYS_open, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0), n;

	if (fd < 0)
		return 0;
	while (done < size && (n = raw4(SYS_pread64, fd, log_at(at + done), size - done, done)) > 0)
		done += (uint64_t)n;
	raw1(SYS_close, fd);
	return (uint32_t)done;
}

/* A file that is open to be read is about to change: from now on what is read is in the log. */
static void stop_reading_again(const struct stat *changed)
{
	struct stat st;

	for (long fd = 0; fd < FDSET_MOST; fd++)
		if (fdset_has(&state.files, fd) && raw2(SYS_fstat, fd, &st) == 0 && st.st_ino == changed->st_ino &&
		    st.st_dev == changed->st_dev)
			fdset_put(&state.files, fd, false);
}

/* What the program is about to change is kept as it was, for executions that go another way: once, if all goes well. */
static void keep_before(const char *name, uint32_t size)
{
	static struct pieces p;
	static struct stat st;
	struct world_entry e = {.kind = WORLD_BEFORE, .bytes = size};
	uint64_t start = omen.board->log_bytes;

	if (was_changed(name))
		return;
	note_changed(name);
	p.n = 0;
	add(&p, name, size);
	e.result = raw2(SYS_lstat, name, &st);
	if (e.result == 0 && S_ISREG(st.st_mode))
		stop_reading_again(&st);
	if (e.result == 0) {
		add(&p, &st, sizeof(st));
		e.bytes += sizeof(st);
	}
	if (e.result == 0 && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) && st.st_size <= WORLD_BEFORE_MOST &&
	    start + sizeof(e) + e.bytes + WORLD_BEFORE_MOST < WORLD_LOG_SIZE)
		e.bytes += log_contents(name, start + sizeof(e) + e.bytes, &st);
	append(&e, &p);
}

#define TREE_MOST 4096 /* so many names below a directory are kept when it is moved */
#define TREE_DEEP 32

/* The name of the same in the directory that another is moved to. */
static void keep_there(const char *name, size_t skip, const char *to)
{
	static char there[NAME_SIZE];
	size_t size = strlen(to), more = strlen(name + skip) + 1;

	if (size + more > NAME_SIZE)
		return;
	memcpy(there, to, size);
	memcpy(there + size, name + skip, more);
	keep_before(there, (uint32_t)(size + more));
}

struct tree {
	char name[NAME_SIZE];
	size_t skip; /* so much of the name is that of the directory */
	const char *to;
	uint32_t count;
};

/* A directory is about to be moved: so is all that is below it. False if that is too much. */
static bool keep_below(struct tree *t, uint32_t depth)
{
	char list[2048] __attribute__((aligned(8)));
	size_t size = strlen(t->name);
	long fd = raw3(SYS_open, t->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0), n;
	bool all = depth < TREE_DEEP;

	while (fd >= 0 && all && (n = raw3(SYS_getdents64, fd, list, sizeof(list))) > 0)
		for (long i = 0; i < n && all;) {
			const struct dirent64 *d = (const void *)(list + i);
			size_t more = strlen(d->d_name) + 1;
			i += d->d_reclen;
			if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
				continue;
			all = ++t->count < TREE_MOST && size + 1 + more <= NAME_SIZE;
			if (!all)
				break;
			t->name[size] = '/';
			memcpy(t->name + size + 1, d->d_name, more);
			keep_before(t->name, (uint32_t)(size + 1 + more));
			keep_there(t->name, t->skip, t->to);
			if (d->d_type == DT_DIR || d->d_type == DT_UNKNOWN)
				all = keep_below(t, depth + 1);
			t->name[size] = 0;
		}
	if (fd >= 0)
		raw1(SYS_close, fd);
	return all;
}

/* What is below a directory that may be moved; false if that is too much. */
static bool keep_moved(const char *from, const char *to)
{
	static struct tree tree;
	size_t size = strlen(from) + 1;
	struct stat st;

	if (raw2(SYS_lstat, from, &st) || !S_ISDIR(st.st_mode))
		return true;
	memcpy(tree.name, from, size);
	tree.skip = size - 1;
	tree.to = to;
	tree.count = 0;
	return keep_below(&tree, 0);
}

/* It was moved, and not all that was below it was kept. */
static void keep_too_much(const char *name, uint32_t size)
{
	static struct pieces p;

	p.n = 0;
	add(&p, name, size);
	append(&(struct world_entry){.kind = WORLD_BEFORE, .bytes = size, .result = -E2BIG}, &p);
}

/* The kernel will not move it. */
static bool ends_in_dots(const char *path)
{
	size_t n = strlen(path);

	while (n && path[n - 1] == '/')
		n--;
	return n && path[n - 1] == '.' &&
	       (n == 1 || path[n - 2] == '/' || (path[n - 2] == '.' && (n == 2 || path[n - 3] == '/')));
}

/* A local socket makes a file. */
static void keep_socket(const struct sockaddr_un *address, uint32_t size)
{
	static char path[sizeof(*address)], name[NAME_SIZE];
	uint32_t before = offsetof(struct sockaddr_un, sun_path);

	if (size <= before || size > sizeof(*address) || address->sun_family != AF_UNIX || !address->sun_path[0])
		return;
	memcpy(path, address->sun_path, size - before);
	path[size - before] = 0;
	keep_before(name, (uint32_t)names_resolve(&(struct name){AT_FDCWD, path, false}, name) + 1);
}

/* Before the call: afterwards they may be gone. */
static void look_at_names(struct named *named, long nr, const long arg[6])
{
	struct name name[NAMES_MOST];
	bool changed = names_are_changed(nr, arg);

	named->too_much = false;
	if (nr == SYS_fchmod || nr == SYS_fchown || (nr == SYS_utimensat && !arg[1])) {
		size_t size = names_of_descriptor(arg[0], named->name[0]);
		if (size)
			keep_before(named->name[0], (uint32_t)size + 1);
	}
	named->count = changed || nr == SYS_chdir ? names_of(nr, arg, name) : 0;
	if ((nr == SYS_bind || nr == SYS_connect) && arg[1] && (uint64_t)arg[2] <= sizeof(struct sockaddr_storage)) {
		named->count = 1;
		named->size[0] = (uint32_t)arg[2] + 1;
		memcpy(named->name[0], (const void *)arg[1], (size_t)arg[2]);
		named->name[0][arg[2]] = 0;
		if (nr == SYS_bind)
			keep_socket((const void *)arg[1], (uint32_t)arg[2]);
		return;
	}
	for (uint32_t i = 0; i < named->count; i++)
		if (raw2(SYS_access, name[i].path, 0) == -EFAULT)
			named->count = 0;
	bool moves = nr == SYS_rename || nr == SYS_renameat || nr == SYS_renameat2;
	for (uint32_t i = 0; i < named->count; i++) {
		named->size[i] = (uint32_t)names_resolve(&name[i], named->name[i]) + 1;
		if (changed)
			keep_before(named->name[i], named->size[i]);
	}
	named->too_much = moves && named->count == 2 && !ends_in_dots(name[0].path) &&
	                  !keep_moved(named->name[0], named->name[1]);
}

/* The tool will say that a replay may differ. */
static void note_unknown(long nr)
{
	struct board *b = omen.board;

	if (nr >= 0 && nr < NR_MAX)
		b->unknown_calls[nr / 64] |= 1ul << nr % 64;
}

/* It leaves there what it has read, or wanted nothing. */
static bool takes_nothing(long nr, const long arg[6])
{
	uint64_t size = 0;

	if (nr == SYS_recvfrom || nr == SYS_recvmsg)
		return (nr == SYS_recvfrom ? arg[3] : arg[2]) & MSG_PEEK;
	if (nr == SYS_readv)
		for (long i = 0; i < arg[2] && i < IOV_MAX; i++)
			size += ((const struct iovec *)arg[1])[i].iov_len;
	return (nr == SYS_read && !arg[2]) || (nr == SYS_readv && !size);
}

static long record(long nr, const struct row *r, const long arg[6])
{
	static struct pieces p;
	static struct named named;
	struct world_entry e = {.kind = WORLD_CALL, .nr = (uint16_t)nr, .fd = (int32_t)arg[0]};

	before(&p, r, arg);
	look_at_names(&named, nr, arg);
	if (nr == SYS_semctl && arg[2] == GETALL)
		p.counters = sizeof(short) * semaphores_of(arg[0]);
	e.result = raw_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (named.too_much && e.result == 0)
		keep_too_much(named.name[0], named.size[0]);
	after(&p, nr, r, arg, e.result);
	bool file = fdset_has(&state.files, arg[0]);
	switch (r->replay) {
	case OPENS:
		if (e.result < 0)
			break;
		if (!named.count) {
			named.size[0] = (uint32_t)names_of_descriptor(e.result, named.name[0]) + 1;
			named.count = 1;
		}
		if (is_plain_file(e.result, open_flags(nr, arg), named.name[0]))
			e.flags = WORLD_FILE;
		fdset_put(&state.files, e.result, e.flags);
		break;
	case READS:
		if (!file)
			break;
		e.flags = WORLD_FILE;
		if (nr == SYS_lseek)
			break;
		e.check = hash_pieces(&p);
		p.n = 0;
		break;
	case CLOSES:
		fdset_put(&state.files, arg[0], false);
		e.flags = file ? WORLD_FILE : 0;
		break;
	case CLOSES_RANGE:
		forget_range(arg, e.result);
		break;
	case ATTACHES:
		if (!is_error(e.result))
			add(&p, (void *)e.result, shared_size(arg[0]));
		break;
	case COPIES:
		if (e.result < 0 || (nr == SYS_fcntl && arg[1] != F_DUPFD && arg[1] != F_DUPFD_CLOEXEC))
			break;
		fdset_put(&state.files, e.result, file);
		e.flags = (file ? WORLD_FILE : 0) | WORLD_COPY;
		break;
	case MAPS:
		if (arg[4] < 0 || (arg[3] & MAP_ANONYMOUS) || is_error(e.result))
			break;
		if (fdset_has(&state.files, arg[4])) {
			e.check = state_of_file(arg[4]);
		} else {
			struct stat st = {0};
			e.flags = WORLD_MAPPED;
			raw2(SYS_fstat, arg[4], &st);
			uint64_t there = st.st_size > arg[5] ? (uint64_t)(st.st_size - arg[5]) : 0;
			add(&p, (void *)e.result, there < (uint64_t)arg[1] ? there : (uint64_t)arg[1]);
		}
		break;
	default:
		e.check = world_written(nr, arg, e.result);
		break;
	}
	if (takes_nothing(nr, arg))
		e.flags |= WORLD_PEEK;
	for (uint32_t i = 0; i < named.count && (e.result >= 0 || e.result == -EINPROGRESS); i++) {
		add(&p, named.name[i], named.size[i]);
		e.names += named.size[i];
	}
	uint64_t all = 0;
	for (uint32_t i = 0; i < p.n; i++)
		all += p.at[i].size;
	if (p.cut || all > UINT32_MAX) { /* more than an entry holds */
		note_unknown(nr);
		p.n = all > UINT32_MAX ? 0 : p.n;
	}
	e.bytes = p.n ? (uint32_t)all : 0;
	append(&e, &p);
	return e.result;
}

/* ---- replaying ---- */

static void fill(const struct world_entry *e, const struct pieces *p)
{
	const uint8_t *from = (const uint8_t *)(e + 1);
	uint64_t all = 0;

	for (uint32_t i = 0; i < p->n; i++)
		all += p->at[i].size;
	if (all != e->bytes - e->names)
		differs("bytes of an answer", (long)all, e->bytes - e->names);
	for (uint32_t i = 0; i < p->n; from += p->at[i++].size)
		memcpy(p->at[i].at, from, p->at[i].size);
}

static long again(long nr, const long arg[6], const struct world_entry *e)
{
	long r = raw_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);

	if (r != e->result)
		differs("result of a call made again", r, e->result);
	return r;
}

/* What was copied from a file that is read again was read. */
static void skip_copied(long nr, const long arg[6], long result)
{
	long fd = nr == SYS_sendfile ? arg[1] : arg[0], at = nr == SYS_sendfile ? arg[2] : arg[1];

	if ((nr == SYS_sendfile || nr == SYS_splice || nr == SYS_copy_file_range) && !at && result > 0 &&
	    fdset_has(&state.files, fd))
		raw3(SYS_lseek, fd, result, SEEK_CUR);
}

static long map_again(const long arg[6], const struct world_entry *e)
{
	long flags = arg[3], fd = arg[4];
	bool ours = fd < 0 || (flags & MAP_ANONYMOUS);

	if (is_error(e->result))
		return e->result;
	if (e->bytes > (uint64_t)arg[1])
		differs("bytes of a mapping", arg[1], e->bytes);
	if (!ours && e->flags & WORLD_MAPPED) {
		flags = (flags & ~(long)(MAP_SHARED | MAP_SHARED_VALIDATE)) | MAP_PRIVATE | MAP_ANONYMOUS;
		fd = -1;
	}
	if (e->check && e->check != state_of_file(fd))
		ending_fail(ENDING_DIVERGED, "a file that was mapped has changed since (descriptor %ld)", fd);
	if (!(flags & MAP_FIXED))
		flags |= MAP_FIXED_NOREPLACE;
	if (state.follows && fd < 0) /* a snapshot shares nothing */
		flags = (flags & ~(long)(MAP_SHARED | MAP_SHARED_VALIDATE)) | MAP_PRIVATE;
	long r =
	        raw6(SYS_mmap, e->result, arg[1], arg[2] | (e->bytes ? PROT_WRITE : 0), flags, fd, fd < 0 ? 0 : arg[5]);
	if (r != e->result)
		differs("address of a mapping", r, e->result);
	if (e->bytes) {
		memcpy((void *)r, e + 1, e->bytes);
		raw3(SYS_mprotect, r, arg[1], arg[2]);
	}
	return r;
}

/* All of it, whatever the descriptor is like now. */
static void show(long fd, const uint8_t *bytes, uint64_t size)
{
	struct pollfd room = {.fd = (int)fd, .events = POLLOUT};

	while (size) {
		long n = raw3(SYS_write, fd, bytes, size);
		if (n == -EAGAIN)
			raw3(SYS_poll, &room, 1, -1);
		else if (n <= 0 && n != -EINTR)
			return;
		if (n > 0) {
			bytes += n;
			size -= (uint64_t)n;
		}
	}
}

/*
 * What went to standard output and error is shown: as much as was really written, which may be less than the program
 * asked for, or nothing.  Whether anybody sees it is no matter.
 */
static void show_again(long nr, const long arg[6], int64_t written)
{
	const struct iovec *v = (const void *)arg[1];
	long fd = arg[0];

	if (state.follows)
		fd = model_output((int)fd);
	if ((fd != 1 && fd != 2) || written <= 0)
		return;
	if (nr == SYS_write) {
		show(fd, (const void *)arg[1], lesser((uint64_t)written, (uint64_t)arg[2]));
		return;
	}
	for (long i = 0; i < arg[2] && written > 0; i++) {
		uint64_t n = lesser((uint64_t)written, v[i].iov_len);
		show(fd, v[i].iov_base, n);
		written -= (int64_t)n;
	}
}

/* What the sizes of an answer depend on, besides its result. */
static void prepare(struct pieces *p, const struct row *r, const long arg[6], const struct world_entry *e)
{
	const uint32_t *length = (const void *)(e + 1);
	struct mmsghdr *m = (void *)arg[1];

	p->counters = e->bytes - e->names;
	for (uint32_t i = 0; r->output[0].rule == MESSAGES && i < e->result && i < e->bytes / 4; i++)
		m[i].msg_len = length[i];
}

static long replay_entry(long nr, const struct row *r, const long arg[6], const struct world_entry *e)
{
	static struct pieces p;

	before(&p, r, arg);
	prepare(&p, r, arg, e);
	pass(e);
	switch (r->replay) {
	case FOR_REAL:
		return again(nr, arg, e);
	case MAPS:
		return map_again(arg, e);
	case OPENS:
		if (e->flags & WORLD_FILE)
			open_again(e);
		return e->result;
	case CLOSES:
		if (e->flags & WORLD_FILE)
			raw1(SYS_close, arg[0]);
		fdset_put(&state.files, arg[0], false);
		return e->result;
	case CLOSES_RANGE:
		forget_range(arg, e->result);
		return e->result;
	case ATTACHES:
		attach_again(e);
		return e->result;
	case DETACHES:
		if (!e->result)
			detach_again(arg[0]);
		return e->result;
	case COPIES:
		if (e->result >= 0 && (nr != SYS_fcntl || arg[1] == F_DUPFD || arg[1] == F_DUPFD_CLOEXEC)) {
			if (e->flags & WORLD_FILE)
				raw3(SYS_dup3, arg[0], e->result, O_CLOEXEC);
			fdset_put(&state.files, e->result, e->flags & WORLD_FILE);
		}
		break;
	case WRITES:
		show_again(nr, arg, e->result);
		break;
	case READS:
		if (!(e->flags & WORLD_FILE))
			break;
		again(nr, arg, e);
		if (nr == SYS_lseek)
			return e->result;
		after(&p, nr, r, arg, e->result);
		if (hash_pieces(&p) != e->check)
			ending_fail(ENDING_DIVERGED, "a file that was read has changed since (descriptor %ld)", arg[0]);
		return e->result;
	default:
		break;
	}
	if (writes_buffer(nr) && e->result > 0 && (uint64_t)e->result > (uint64_t)arg[2])
		differs("bytes to write", arg[2], e->result);
	if (e->check && e->check != world_written(nr, arg, e->result))
		ending_fail(ENDING_DIVERGED,
		            "replay desynchronised at point %lu: T%u calls %s and writes something else than the "
		            "recorded %s",
		            omen.points, omen.current->id, call_made(), call_recorded(e));
	after(&p, nr, r, arg, e->result);
	fill(e, &p);
	skip_copied(nr, arg, e->result);
	return e->result;
}

static long replay(long nr, const struct row *r, const long arg[6])
{
	const struct world_entry *e = recorded(nr, arg);
	bool unmaps = nr == SYS_munmap || nr == SYS_mremap; /* what stands there is still to be seen */

	if (state.follows && unmaps)
		model_follow(nr, arg, e);
	long result = replay_entry(nr, r, arg, e);
	if (state.follows && !unmaps)
		model_follow(nr, arg, e);
	return result;
}

/* ---- the way in ---- */

long world_call(long nr, const long arg[6])
{
	static const struct row nothing;
	const struct row *r = nr >= 0 && nr < NR_MAX ? &rows[nr] : &nothing;

	if (likely(state.mode == WORLD_REAL) || unlikely(omen.off & OFF_VFORK)) /* there it is the child who asks */
		return raw_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (state.mode == WORLD_MODEL)
		return model_call(nr, arg);
	if (!r->known)
		note_unknown(nr);
	long result = state.mode == WORLD_RECORD ? record(nr, r, arg) : replay(nr, r, arg);
	omen_event((uint64_t)nr, (uint64_t)result);
	return result;
}

void world_signal(uint32_t place, const siginfo_t *info)
{
	static struct pieces p;

	if (state.mode != WORLD_RECORD)
		return;
	omen_event(place, (uint64_t)info->si_signo);
	p.n = 0;
	add(&p, info, sizeof(*info));
	append(&(struct world_entry){.kind = WORLD_SIGNAL,
	                             .flags = (uint8_t)place,
	                             .bytes = sizeof(*info),
	                             .result = (int64_t)omen.points},
	       &p);
}

bool world_signal_again(uint32_t place, siginfo_t *info)
{
	if (state.mode == WORLD_MODEL)
		return model_signal(place, info);
	const struct world_entry *e = state.mode == WORLD_REPLAY ? next_entry() : NULL;

	if (!e && state.mode == WORLD_REPLAY && omen.board->cut && omen.points >= omen.board->cut_point)
		ending_cut();
	if (!e || e->kind != WORLD_SIGNAL || e->flags != place || (uint64_t)e->result != omen.points ||
	    e->bytes != sizeof(*info))
		return false;
	memcpy(info, e + 1, sizeof(*info));
	omen_event(place, (uint64_t)info->si_signo);
	pass(e);
	if (state.follows)
		model_follow(0, NULL, e);
	return true;
}

bool world_looked(bool found)
{
	static const struct pieces nothing;
	const struct world_entry *e = state.mode == WORLD_REPLAY ? next_entry() : NULL;

	if (state.mode == WORLD_RECORD && !found)
		append(&(struct world_entry){.kind = WORLD_LOOK}, &nothing);
	if (!e || e->kind != WORLD_LOOK)
		return found;
	pass(e);
	return false;
}

bool world_made_before(long *pid)
{
	if (state.mode == WORLD_MODEL) {
		*pid = model_call(SYS_clone, world_args(0, 0, 0, 0, 0, 0));
		return true;
	}
	if (state.mode != WORLD_REPLAY)
		return false;
	const struct world_entry *e = recorded(SYS_clone, NULL);
	*pid = e->result;
	pass(e);
	if (state.follows)
		model_follow(SYS_clone, NULL, e);
	return true;
}

void world_made(long pid)
{
	static const struct pieces nothing;

	if (state.mode == WORLD_RECORD)
		append(&(struct world_entry){.kind = WORLD_CALL, .nr = SYS_clone, .result = pid}, &nothing);
}

/* A mapped file that is written as well changes where it is mapped: that the model sees to. */
static bool maps_files(void)
{
	const struct world_entry *e;

	for (uint64_t at = 0; (e = whole_entry(at)); at += entry_size(e))
		if (e->kind == WORLD_CALL && e->nr == SYS_mmap && e->flags & WORLD_MAPPED)
			return true;
	return false;
}

/* Where names without a beginning begin. */
static void keep_place(void)
{
	static struct pieces p;
	static char here[NAME_SIZE];
	long n = raw2(SYS_getcwd, here, sizeof(here));

	p.n = 0;
	add(&p, here, n > 0 ? (uint64_t)n : 0);
	append(&(struct world_entry){.kind = WORLD_PLACE,
	                             .flags = WORLD_SPARES | WORLD_PID,
	                             .bytes = n > 0 ? (uint32_t)n : 0},
	       &p);
}

void world_start(void)
{
	state.mode = omen.board ? omen.board->config.world : WORLD_REAL;
	state.at = 0;
	if (state.mode == WORLD_RECORD)
		keep_place();
	if (state.mode == WORLD_REPLAY) {
		const struct world_entry *first = whole_entry(0);
		state.polls_always = !first || first->kind != WORLD_PLACE || !(first->flags & WORLD_SPARES);
		look_ahead();
	}
	state.follows = state.mode == WORLD_REPLAY &&
	                (omen.board->config.stop_at || omen.board->nstops || omen.board->config.given || maps_files());
	if (state.follows)
		model_start();
	state.locates = state.follows && model_wants_calls();
}

bool world_pid(uint32_t *pid)
{
	const struct world_entry *first = state.mode == WORLD_REPLAY ? whole_entry(0) : NULL;
	bool told = first && first->kind == WORLD_PLACE && first->flags & WORLD_PID;

	if (state.mode != WORLD_RECORD && !told)
		return false;
	*pid = (uint32_t)world_call(SYS_getpid, (const long[6]){0});
	return true;
}

void world_own_files(void)
{
	if (state.follows)
		model_own_files();
}

void world_depart(void)
{
	if (state.mode != WORLD_REPLAY)
		return;
	state.mode = WORLD_MODEL;
	model_depart();
	guard_depart();
}

void world_keep(void)
{
	if (state.mode == WORLD_MODEL)
		model_keep();
}

void world_given(void)
{
	if (state.mode == WORLD_MODEL || (state.mode == WORLD_REPLAY && state.follows))
		model_given();
}

bool world_locates(void) { return state.locates; }
uint64_t world_position(int fd) { return model_position(fd); }
void world_buffered(int fd, uint64_t from, uint64_t to) { model_buffered(fd, from, to); }

void world_leave(void) { state.mode = WORLD_REAL; }

bool world_spares_polls(void) { return !state.polls_always; }

bool world_is_recorded(void) { return state.mode == WORLD_RECORD; }
bool world_is_replayed(void) { return state.mode == WORLD_REPLAY || state.mode == WORLD_MODEL; }
