/* The table of syscalls (syscalls.h), as the recorder and the replayer use it. */
#include "rt/world/call_rules.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#include "abi/syscall_names.h"

/* clang-format off */
static const struct call_rule rules[SYSCALLS_MAX] = {
#define FIXED(a, n)      {a, FILL_FIXED, 0, n}
#define RESULT(a, of, n) {a, FILL_RESULT, of, n}
#define TYPED(a)         {a, FILL_TYPED, 0, 0}
#define TIMES(a, of, n)  {a, FILL_TIMES, of, n}
#define SIZED(a, of)     {a, FILL_SIZED, of, 0}
#define IOVEC(a, of)     {a, FILL_IOVEC, of, 0}
#define PAGES(a, of)     {a, FILL_PAGES, of, 0}
#define BITS(a, of)      {a, FILL_BITS, of, 0}
#define MSGHDR(a)        {a, FILL_MSGHDR, 0, 0}
#define MMSGHDR(a, of)   {a, FILL_MMSGHDR, of, 0}
#define SENT(a)          {a, FILL_SENT, 0, 0}
#define CALL(name, ...)  [SYS_##name] = {__VA_ARGS__},
#define LOG(how)         .known = true, .replay = REPLAY_##how,
#define FILLS(...)       .output = {__VA_ARGS__},
#define SENDS(what)      .send = SEND_##what,
#include "rt/kernel/syscalls.h"
};
/* clang-format on */

const struct call_rule *call_rule(long nr)
{
	static const struct call_rule unknown;

	return nr >= 0 && nr < SYSCALLS_MAX ? &rules[nr] : &unknown;
}

/* Some calls are many in one: their command says what they fill. */
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

struct output call_command_output(long nr, const long arg[6])
{
	uint32_t command = (uint32_t)arg[1];

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (commands[i].nr == nr && commands[i].command == (uint32_t)arg[commands[i].command_arg])
			return (struct output){commands[i].arg, FILL_FIXED, 0, commands[i].bytes};
	if (nr == SYS_semctl && arg[2] == GETALL)
		return (struct output){3, FILL_COUNTERS, 0, 2};
	if (nr == SYS_ioctl && command >> 8 == SIOCGIFNAME >> 8 &&
	    command != SIOCGIFCONF) /* requests about network devices */
		return (struct output){2, FILL_FIXED, 0, sizeof(struct ifreq)};
	if (nr == SYS_ioctl && command >> 30 & 2) /* the number of the request has the size */
		return (struct output){2, FILL_FIXED, 0, (uint16_t)(command >> 16 & 0x3fff)};
	return (struct output){0};
}

const char *call_name(long nr)
{
	static const char *const names[] = {
#define X(name) [SYS_##name] = #name,
	        SYSCALLS(X)
#undef X
	};

	return nr >= 0 && (uint64_t)nr < sizeof(names) / sizeof(*names) && names[nr] ? names[nr] : "syscall";
}
