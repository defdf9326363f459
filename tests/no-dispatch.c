/* no-dispatch PROG ARGS: runs a program as on a kernel without Syscall User Dispatch, where that prctl is unknown. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, lines) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, lines)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
	        LOAD(nr),      SKIP_UNLESS(SYS_prctl, 3),
	        LOAD(args[0]), SKIP_UNLESS(59 /* PR_SET_SYSCALL_USER_DISPATCH */, 1),
	        ANSWER(SECCOMP_RET_ERRNO | EINVAL),
	        ANSWER(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 125;
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 126;
}
