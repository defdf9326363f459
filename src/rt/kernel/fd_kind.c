#include "rt/kernel/fd_kind.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/above.h"
#include "rt/core/rt.h"

#define MOST 1024

static struct kind known[MOST]; /* open: it was asked for */

static struct kind ask(int fd)
{
	struct stat st;
	long flags = world3(SYS_fcntl, fd, F_GETFL, 0);

	if (flags < 0 || world2(SYS_fstat, fd, &st) < 0)
		return (struct kind){0};
	return (struct kind){.open = true, .nonblocking = flags & O_NONBLOCK, .mode = st.st_mode, .inode = st.st_ino};
}

struct kind kind_of(int fd)
{
	/* children share descriptors and may change their flags */
	if (fd < 0 || fd >= MOST || omen.children)
		return ask(fd);
	if (!known[fd].open)
		known[fd] = ask(fd);
	return known[fd];
}

void kind_forget(int fd)
{
	if (fd >= 0 && fd < MOST)
		known[fd].open = false;
}

void kind_forget_all(void) { memset(known, 0, sizeof(known)); }
