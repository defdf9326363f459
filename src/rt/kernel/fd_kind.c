#include "rt/kernel/fd_kind.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/above.h"
#include "rt/core/rt.h"

#define MOST 1024

static struct fd_kind known[MOST]; /* open: the entry is valid */

static struct fd_kind ask(int fd)
{
	struct stat st;
	long flags = world3(SYS_fcntl, fd, F_GETFL, 0);

	if (flags < 0 || world2(SYS_fstat, fd, &st) < 0)
		return (struct fd_kind){0};
	return (struct fd_kind){
	        .open = true, .nonblocking = flags & O_NONBLOCK, .mode = st.st_mode, .inode = st.st_ino};
}

struct fd_kind fd_kind(int fd)
{
	/* child processes share descriptors and may change their flags */
	if (fd < 0 || fd >= MOST || omen.children)
		return ask(fd);
	if (!known[fd].open)
		known[fd] = ask(fd);
	return known[fd];
}

void fd_kind_forget(int fd)
{
	if (fd >= 0 && fd < MOST)
		known[fd].open = false;
}

void fd_kind_forget_all(void) { memset(known, 0, sizeof(known)); }
