/*
 * The table of syscalls: what is known of each, in one place.  Everything else is derived from it: a user defines CALL
 * and the facts it wants, includes this file, and gets one row for each syscall; facts that it does not define vanish.
 *
 *	static const struct { bool known; } rows[SYSCALLS_MAX] = {
 *	#define CALL(name, ...) [SYS_##name] = {__VA_ARGS__},
 *	#define LOG(how)        .known = true,
 *	#include "rt/kernel/syscalls.h"
 *	};
 *
 * Who includes it: kernel/trap.c, kernel/undo_calls.c, kernel/paths.c, kernel/bad_pointers.c, world/call_rules.c,
 * model/model.c, model/arrivals.c and observe/compare_orders.c.  The words inside of a fact have a meaning only for a
 * user that defines the fact, so the table needs no other header.  The number of a call is SYS_name.
 * abi/syscall_names.h has the names of all syscalls, also of those without a row, as the tool needs them too.
 *
 * KERNEL(function)    answers it where the program makes it; without: it goes through to the world unchanged
 * MODEL(function)     answers it after a replay has left its recording; without: it fails with ENOSYS
 * LOG(how)            how it is recorded and replayed; without: it is passed through, and the board says that a replay
 *                     may differ.
 *     ANSWER          the log has its result and the bytes that it fills; a replay takes them from there
 *     AGAIN           a replay makes it again: it must have the same result
 *     OPEN            a file that is only read is opened again, and is not in the log
 *     READ            from such a file it is made again, and a hash compares the bytes; from others as ANSWER
 *     CLOSE, CLOSE_RANGE, DUP   as ANSWER, and for such files made again
 *     WRITE           as ANSWER; what goes to standard output and error is shown again
 *     MAP             memory is mapped again; the contents of a file that can be written come from the log
 *     SHMAT, SHMDT    of System V: a replay has a copy of the memory
 * FILLS(pieces)       the memory that it fills, at most OUTPUTS pieces; `a` and `of` are numbers of arguments
 *     FIXED(a, n)     n bytes at argument a, if the call succeeds
 *     RESULT(a, of, n) as many times n bytes as it returns, but no more than argument `of` says (0: no limit)
 *     TYPED(a)        a long, and as many bytes as it returns
 *     TIMES(a, of, n) as many times n bytes as argument `of` says
 *     SIZED(a, of)    as many bytes as the uint32_t at argument `of` says, before the call and after it
 *     IOVEC(a, of)    as many bytes as it returns, into the vector of length `of`
 *     PAGES(a, of)    a byte for each page of as many bytes as argument `of` says
 *     BITS(a, of)     as many bits as argument `of` says, in longs
 *     MSGHDR(a), MMSGHDR(a, of), SENT(a)   one message; as many as it returns; the lengths of as many as it returns
 * SENDS(what)         the memory that it takes: BUFFER (argument 1, of length 2), IOVEC (the same), MSGHDR (argument 1)
 * PATH(directory, path, follow)   the arguments that name a file; AT_CWD: there is none for the directory; whether a
 *                     link at the end is followed (LINK: the link itself is meant)
 * PATHS(directory, path, directory, path)   the arguments that name two files; links at the end are not followed
 * CHANGES_PATHS       it changes what is there under these names
 * POINTERS(A(i) | …)  the arguments that point to memory that is read or written
 * DEPENDS(on, n)      what it does to the world depends on the first n arguments, its result and (on):
 *     NO_EFFECT       it does nothing to the world: memory and threads show what it does, or it is about time
 *     OWN_MEMORY      nothing else; it changes what memory there is
 *     ARGUMENTS       nothing else: what they point to is filled, or only tells where
 *     SENT_BYTES      the bytes that it takes
 *     PATH_0, PATH_1  the name at argument 0 or 1
 * NO_STEP             threads cannot notice it, or its function notes itself what they notice (observe/step_record.h)
 * UNCLEAR_STEP        it is about processes or signals: what others notice is not known
 * ACTS_ON_ERROR       it may change something although it fails
 * ONLY_ASKS           it changes nothing
 * MAKES_FD, MAKES_PAIR   its result is a new descriptor; it fills in two
 * UNDO(how)           what it changes of the process besides memory that it fills, so that an execution can be rewound;
 *                     without: it cannot be rewound after this call
 *     NOTHING         nothing: what it does to the world, or to what a descriptor stands for, no execution undoes
 *     OPENS, OPENS_PAIR, OPENS_TWO, CLOSES   descriptors: its result, two at argument 0, two at argument 3; closes one
 *     MAPS, UNMAPS, PROTECTS, ADVISES, BREAK   mappings
 *     FCNTL, IOCTL, LIMITS, HANDLER   it depends on its arguments
 */
#ifndef CALL
#error "define CALL(name, ...) and the facts that are wanted before this is included"
#endif
#ifndef KERNEL
#define KERNEL(function)
#endif
#ifndef MODEL
#define MODEL(function)
#endif
#ifndef LOG
#define LOG(how)
#endif
#ifndef FILLS
#define FILLS(...)
#endif
#ifndef SENDS
#define SENDS(what)
#endif
#ifndef PATH
#define PATH(directory, path, follow)
#endif
#ifndef PATHS
#define PATHS(directory, path, directory_2, path_2)
#endif
#ifndef CHANGES_PATHS
#define CHANGES_PATHS
#endif
#ifndef POINTERS
#define POINTERS(arguments)
#endif
#ifndef DEPENDS
#define DEPENDS(on, n)
#endif
#ifndef NO_STEP
#define NO_STEP
#endif
#ifndef UNCLEAR_STEP
#define UNCLEAR_STEP
#endif
#ifndef ACTS_ON_ERROR
#define ACTS_ON_ERROR
#endif
#ifndef ONLY_ASKS
#define ONLY_ASKS
#endif
#ifndef MAKES_FD
#define MAKES_FD
#endif
#ifndef MAKES_PAIR
#define MAKES_PAIR
#endif
#ifndef UNDO
#define UNDO(how)
#endif

/* clang-format off */

/* reading and writing */
CALL(read, UNDO(NOTHING) KERNEL(kernel_read) MODEL(answer_read) LOG(READ) FILLS(RESULT(1, 2, 1)) POINTERS(A(1))
      DEPENDS(ARGUMENTS, 3) ACTS_ON_ERROR)
CALL(pread64, UNDO(NOTHING) KERNEL(kernel_read) MODEL(answer_read) LOG(READ) FILLS(RESULT(1, 2, 1)) POINTERS(A(1))
      DEPENDS(ARGUMENTS, 4))
CALL(readv, UNDO(NOTHING) KERNEL(kernel_read) MODEL(answer_read) LOG(READ) FILLS(IOVEC(1, 2)) POINTERS(A(1))
      DEPENDS(ARGUMENTS, 3) ACTS_ON_ERROR)
CALL(preadv, UNDO(NOTHING) KERNEL(kernel_read) MODEL(answer_read) LOG(READ) FILLS(IOVEC(1, 2)) POINTERS(A(1)))
CALL(preadv2, UNDO(NOTHING) LOG(READ) FILLS(IOVEC(1, 2)) POINTERS(A(1)))
CALL(write, UNDO(NOTHING) KERNEL(kernel_write) MODEL(answer_write) LOG(WRITE) SENDS(BUFFER) POINTERS(A(1)) DEPENDS(SENT_BYTES, 3)
      ACTS_ON_ERROR)
CALL(writev, UNDO(NOTHING) KERNEL(kernel_write) MODEL(answer_write) LOG(WRITE) SENDS(IOVEC) POINTERS(A(1)) DEPENDS(SENT_BYTES, 3)
      ACTS_ON_ERROR)
CALL(pwrite64, UNDO(NOTHING) KERNEL(kernel_write) MODEL(answer_write) LOG(ANSWER) SENDS(BUFFER) POINTERS(A(1))
      DEPENDS(SENT_BYTES, 4))
CALL(pwritev, UNDO(NOTHING) KERNEL(kernel_write) MODEL(answer_write) LOG(ANSWER) SENDS(IOVEC) POINTERS(A(1)) DEPENDS(SENT_BYTES, 5))
CALL(pwritev2, UNDO(NOTHING) LOG(ANSWER) SENDS(IOVEC) POINTERS(A(1)))
CALL(lseek, UNDO(NOTHING) KERNEL(kernel_lseek) MODEL(answer_seek) LOG(READ) DEPENDS(ARGUMENTS, 3))
CALL(sendfile, UNDO(NOTHING) KERNEL(kernel_transfer) MODEL(answer_copy) LOG(ANSWER) FILLS(FIXED(2, 8)) POINTERS(A(2)))
CALL(splice, KERNEL(kernel_transfer) MODEL(answer_copy) LOG(ANSWER) FILLS(FIXED(1, 8), FIXED(3, 8))
      POINTERS(A(1) | A(3)))
CALL(copy_file_range, KERNEL(kernel_visible) MODEL(answer_copy) LOG(ANSWER) FILLS(FIXED(1, 8), FIXED(3, 8))
      POINTERS(A(1) | A(3)))
CALL(tee, LOG(ANSWER))
CALL(vmsplice, LOG(ANSWER) FILLS(IOVEC(1, 2)))
CALL(process_vm_readv, LOG(ANSWER) FILLS(IOVEC(1, 2)))
CALL(process_vm_writev, LOG(ANSWER))
CALL(getrandom, UNDO(NOTHING) KERNEL(kernel_getrandom) POINTERS(A(0)) DEPENDS(ARGUMENTS, 3))
CALL(ioctl, UNDO(IOCTL) KERNEL(kernel_ioctl) MODEL(answer_ioctl) LOG(ANSWER) POINTERS(A(2)))

/* descriptors */
CALL(close, UNDO(CLOSES) KERNEL(kernel_close) MODEL(answer_close) LOG(CLOSE) DEPENDS(ARGUMENTS, 1))
CALL(close_range, KERNEL(local_fds_close_range) MODEL(answer_close_range) LOG(CLOSE_RANGE))
CALL(dup, UNDO(OPENS) KERNEL(local_fds_dup) MODEL(answer_dup) LOG(DUP) DEPENDS(ARGUMENTS, 1))
CALL(dup2, KERNEL(local_fds_dup) MODEL(answer_dup) LOG(DUP) DEPENDS(ARGUMENTS, 2))
CALL(dup3, KERNEL(local_fds_dup) MODEL(answer_dup) LOG(DUP) DEPENDS(ARGUMENTS, 3))
CALL(fcntl, UNDO(FCNTL) KERNEL(local_fds_fcntl) MODEL(answer_fcntl) LOG(DUP))
CALL(flock, KERNEL(kernel_flock) MODEL(answer_flock) LOG(ANSWER) ACTS_ON_ERROR)
CALL(pipe, UNDO(OPENS_PAIR) KERNEL(local_fds_pair) MODEL(answer_pipe) LOG(ANSWER) FILLS(FIXED(0, 8)) POINTERS(A(0))
      DEPENDS(ARGUMENTS, 0) MAKES_PAIR)
CALL(pipe2, UNDO(OPENS_PAIR) KERNEL(local_fds_pair) MODEL(answer_pipe) LOG(ANSWER) FILLS(FIXED(0, 8)) POINTERS(A(0))
      DEPENDS(ARGUMENTS, 2) MAKES_PAIR)
CALL(eventfd, UNDO(OPENS) KERNEL(local_fds_one) MODEL(answer_eventfd) LOG(ANSWER) MAKES_FD)
CALL(eventfd2, UNDO(OPENS) KERNEL(local_fds_one) MODEL(answer_eventfd) LOG(ANSWER) DEPENDS(ARGUMENTS, 2) MAKES_FD)
CALL(signalfd, KERNEL(signals_fd) MODEL(answer_event_source) LOG(ANSWER) MAKES_FD)
CALL(signalfd4, KERNEL(signals_fd) MODEL(answer_event_source) LOG(ANSWER) POINTERS(A(1)) MAKES_FD)
CALL(timerfd_create, UNDO(OPENS) KERNEL(kernel_timerfd_create))
CALL(timerfd_settime, UNDO(NOTHING) KERNEL(kernel_timerfd_settime) POINTERS(A(2) | A(3)))
CALL(timerfd_gettime, UNDO(NOTHING) KERNEL(kernel_timerfd_gettime) POINTERS(A(1)))
CALL(inotify_init, UNDO(OPENS) LOG(ANSWER))
CALL(inotify_init1, UNDO(OPENS) MODEL(answer_event_source) LOG(ANSWER) MAKES_FD)
CALL(inotify_add_watch, MODEL(answer_zero) LOG(ANSWER))
CALL(inotify_rm_watch, MODEL(answer_zero) LOG(ANSWER))
CALL(memfd_create, UNDO(OPENS) MODEL(answer_memfd) LOG(ANSWER) POINTERS(A(0)) MAKES_FD)
CALL(memfd_secret, LOG(ANSWER))
CALL(pidfd_open, LOG(ANSWER))
CALL(pidfd_getfd, LOG(ANSWER))

/* waiting for descriptors */
CALL(poll, UNDO(NOTHING) KERNEL(kernel_ppoll) MODEL(answer_poll) LOG(ANSWER) FILLS(TIMES(0, 1, sizeof(struct pollfd)))
      POINTERS(A(0)) DEPENDS(NO_EFFECT, 0))
CALL(ppoll, UNDO(NOTHING) KERNEL(kernel_ppoll) MODEL(answer_poll) LOG(ANSWER) FILLS(TIMES(0, 1, sizeof(struct pollfd)))
      POINTERS(A(0) | A(2) | A(3)))
CALL(select, UNDO(NOTHING) KERNEL(kernel_select) POINTERS(A(1) | A(2) | A(3) | A(4)))
CALL(pselect6, UNDO(NOTHING) KERNEL(kernel_select) POINTERS(A(1) | A(2) | A(3) | A(4) | A(5)))
CALL(epoll_create, UNDO(OPENS) KERNEL(local_fds_one) MODEL(answer_epoll_create) LOG(ANSWER) MAKES_FD)
CALL(epoll_create1, UNDO(OPENS) KERNEL(local_fds_one) MODEL(answer_epoll_create) LOG(ANSWER) DEPENDS(ARGUMENTS, 1) MAKES_FD)
CALL(epoll_ctl, UNDO(NOTHING) KERNEL(local_fds_epoll_ctl) MODEL(answer_epoll_ctl) LOG(ANSWER) POINTERS(A(3)))
CALL(epoll_wait, UNDO(NOTHING) KERNEL(kernel_epoll) MODEL(answer_epoll_wait) LOG(ANSWER)
      FILLS(RESULT(1, 2, sizeof(struct epoll_event))) POINTERS(A(1)) DEPENDS(ARGUMENTS, 4))
CALL(epoll_pwait, UNDO(NOTHING) KERNEL(kernel_epoll) POINTERS(A(1) | A(4)))
CALL(epoll_pwait2, UNDO(NOTHING) KERNEL(kernel_epoll) POINTERS(A(1) | A(3) | A(4)))

/* sockets */
CALL(socket, UNDO(OPENS) MODEL(answer_socket) LOG(ANSWER) DEPENDS(ARGUMENTS, 3) MAKES_FD)
CALL(socketpair, UNDO(OPENS_TWO) KERNEL(local_fds_pair) MODEL(answer_socketpair) LOG(ANSWER) FILLS(FIXED(3, 8)) POINTERS(A(3))
      DEPENDS(ARGUMENTS, 3) MAKES_PAIR)
CALL(bind, UNDO(NOTHING) MODEL(answer_bind) LOG(ANSWER) POINTERS(A(1)))
CALL(listen, UNDO(NOTHING) MODEL(answer_listen) LOG(ANSWER) DEPENDS(ARGUMENTS, 2))
CALL(accept, UNDO(OPENS) KERNEL(kernel_accept) MODEL(answer_accept) LOG(ANSWER) FILLS(SIZED(1, 2)) POINTERS(A(1) | A(2))
      DEPENDS(ARGUMENTS, 1) MAKES_FD)
CALL(accept4, UNDO(OPENS) KERNEL(kernel_accept) MODEL(answer_accept) LOG(ANSWER) FILLS(SIZED(1, 2)) POINTERS(A(1) | A(2))
      DEPENDS(ARGUMENTS, 4) MAKES_FD)
CALL(connect, UNDO(NOTHING) KERNEL(kernel_connect) MODEL(answer_connect) LOG(ANSWER) POINTERS(A(1)))
CALL(shutdown, UNDO(NOTHING) KERNEL(kernel_shutdown) MODEL(answer_shutdown) LOG(ANSWER) DEPENDS(ARGUMENTS, 2) ACTS_ON_ERROR)
CALL(recvfrom, UNDO(NOTHING) KERNEL(kernel_recv) MODEL(answer_receive) LOG(ANSWER) FILLS(RESULT(1, 2, 1), SIZED(4, 5))
      POINTERS(A(1) | A(4) | A(5)) DEPENDS(ARGUMENTS, 4) ACTS_ON_ERROR)
CALL(recvmsg, UNDO(NOTHING) KERNEL(kernel_recv) MODEL(answer_receive) LOG(ANSWER) FILLS(MSGHDR(1)) POINTERS(A(1)) ACTS_ON_ERROR)
CALL(recvmmsg, KERNEL(kernel_recv) MODEL(answer_messages) LOG(ANSWER)
      FILLS(MMSGHDR(1, 2), FIXED(4, sizeof(struct timespec))) POINTERS(A(1) | A(4)))
CALL(sendto, UNDO(NOTHING) KERNEL(kernel_send) MODEL(answer_send) LOG(ANSWER) SENDS(BUFFER) POINTERS(A(1) | A(4)) ACTS_ON_ERROR)
CALL(sendmsg, UNDO(NOTHING) KERNEL(local_fds_sendmsg) MODEL(answer_send) LOG(ANSWER) SENDS(MSGHDR) POINTERS(A(1)) ACTS_ON_ERROR)
CALL(sendmmsg, KERNEL(local_fds_sendmsg) MODEL(answer_messages) LOG(ANSWER) FILLS(SENT(1)) POINTERS(A(1)))
CALL(getsockname, UNDO(NOTHING) MODEL(answer_socket_name) LOG(ANSWER) FILLS(SIZED(1, 2)) POINTERS(A(1) | A(2)) DEPENDS(NO_EFFECT, 0))
CALL(getpeername, UNDO(NOTHING) MODEL(answer_socket_name) LOG(ANSWER) FILLS(SIZED(1, 2)) POINTERS(A(1) | A(2)) DEPENDS(NO_EFFECT, 0))
CALL(getsockopt, UNDO(NOTHING) MODEL(answer_getsockopt) LOG(ANSWER) FILLS(SIZED(3, 4)) POINTERS(A(3) | A(4)))
CALL(setsockopt, UNDO(NOTHING) MODEL(answer_setsockopt) LOG(ANSWER) POINTERS(A(3)))

/* files */
CALL(open, UNDO(OPENS) KERNEL(kernel_open) MODEL(answer_open) LOG(OPEN) PATH(AT_CWD, 0, FOLLOW) POINTERS(A(0)) DEPENDS(PATH_0, 3)
      MAKES_FD)
CALL(openat, UNDO(OPENS) KERNEL(kernel_open) MODEL(answer_open) LOG(OPEN) PATH(0, 1, FOLLOW) POINTERS(A(1)) DEPENDS(PATH_1, 4)
      MAKES_FD)
CALL(openat2, UNDO(OPENS) LOG(OPEN) POINTERS(A(1) | A(2)))
CALL(creat, UNDO(OPENS) MODEL(answer_open) LOG(ANSWER) PATH(AT_CWD, 0, FOLLOW) CHANGES_PATHS POINTERS(A(0)) MAKES_FD)
CALL(open_by_handle_at, LOG(ANSWER))
CALL(open_tree, LOG(ANSWER))
CALL(truncate, UNDO(NOTHING) MODEL(answer_truncate) LOG(ANSWER) PATH(AT_CWD, 0, FOLLOW) CHANGES_PATHS POINTERS(A(0)))
CALL(ftruncate, UNDO(NOTHING) MODEL(answer_truncate) LOG(ANSWER) DEPENDS(ARGUMENTS, 2))
CALL(fallocate, UNDO(NOTHING) MODEL(answer_allocate) LOG(ANSWER))
CALL(fsync, UNDO(NOTHING) MODEL(answer_sync) LOG(ANSWER) DEPENDS(ARGUMENTS, 1))
CALL(fdatasync, UNDO(NOTHING) MODEL(answer_sync) LOG(ANSWER))
CALL(sync, MODEL(answer_zero) LOG(ANSWER))
CALL(syncfs, MODEL(answer_zero) LOG(ANSWER))
CALL(sync_file_range, MODEL(answer_zero) LOG(ANSWER))
CALL(fadvise64, MODEL(answer_zero) LOG(ANSWER))
CALL(readahead, MODEL(answer_zero) LOG(ANSWER))
CALL(stat, UNDO(NOTHING) MODEL(answer_stat) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct stat))) POINTERS(A(0) | A(1)))
CALL(lstat, UNDO(NOTHING) MODEL(answer_stat) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct stat))) POINTERS(A(0) | A(1)))
CALL(fstat, UNDO(NOTHING) KERNEL(kernel_stat) MODEL(answer_stat) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct stat))) POINTERS(A(1))
      DEPENDS(NO_EFFECT, 0))
CALL(newfstatat, UNDO(NOTHING) KERNEL(kernel_stat) MODEL(answer_stat) LOG(ANSWER) FILLS(FIXED(2, sizeof(struct stat)))
      POINTERS(A(1) | A(2)) DEPENDS(NO_EFFECT, 0))
CALL(statx, UNDO(NOTHING) MODEL(answer_stat) LOG(ANSWER) FILLS(FIXED(4, 256)) POINTERS(A(1) | A(4)))
CALL(statfs, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct statfs))) POINTERS(A(0) | A(1)))
CALL(fstatfs, UNDO(NOTHING) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct statfs))) POINTERS(A(1)))
CALL(ustat, LOG(ANSWER) FILLS(FIXED(1, 32)))
CALL(access, UNDO(NOTHING) MODEL(answer_access) LOG(ANSWER) POINTERS(A(0)) ONLY_ASKS)
CALL(faccessat, UNDO(NOTHING) MODEL(answer_access) LOG(ANSWER) POINTERS(A(1)) ONLY_ASKS)
CALL(faccessat2, UNDO(NOTHING) MODEL(answer_access) LOG(ANSWER) POINTERS(A(1)) ONLY_ASKS)
CALL(readlink, UNDO(NOTHING) MODEL(answer_readlink) LOG(ANSWER) FILLS(RESULT(1, 2, 1)) POINTERS(A(0) | A(1)) ONLY_ASKS)
CALL(readlinkat, UNDO(NOTHING) MODEL(answer_readlink) LOG(ANSWER) FILLS(RESULT(2, 3, 1)) POINTERS(A(1) | A(2)) ONLY_ASKS)
CALL(getdents, UNDO(NOTHING) LOG(ANSWER) FILLS(RESULT(1, 2, 1)))
CALL(getdents64, UNDO(NOTHING) MODEL(answer_getdents) LOG(ANSWER) FILLS(RESULT(1, 2, 1)) POINTERS(A(1)))
CALL(getcwd, UNDO(NOTHING) MODEL(answer_current_directory) LOG(ANSWER) FILLS(RESULT(0, 1, 1)) POINTERS(A(0)) ONLY_ASKS)
CALL(chdir, MODEL(answer_current_directory) LOG(ANSWER) PATH(AT_CWD, 0, FOLLOW) POINTERS(A(0)))
CALL(fchdir, MODEL(answer_current_directory) LOG(ANSWER))
CALL(chroot, LOG(ANSWER))
CALL(umask, MODEL(answer_umask) LOG(ANSWER))

/* names and modes of files */
CALL(rename, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATHS(AT_CWD, 0, AT_CWD, 1) CHANGES_PATHS POINTERS(A(0) | A(1)))
CALL(renameat, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATHS(0, 1, 2, 3) CHANGES_PATHS POINTERS(A(1) | A(3)))
CALL(renameat2, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATHS(0, 1, 2, 3) CHANGES_PATHS POINTERS(A(1) | A(3)))
CALL(link, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATHS(AT_CWD, 0, AT_CWD, 1) CHANGES_PATHS POINTERS(A(0) | A(1)))
CALL(linkat, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATHS(0, 1, 2, 3) CHANGES_PATHS)
CALL(symlink, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(AT_CWD, 1, LINK) CHANGES_PATHS POINTERS(A(0) | A(1)))
CALL(symlinkat, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(1, 2, LINK) CHANGES_PATHS)
CALL(unlink, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(AT_CWD, 0, LINK) CHANGES_PATHS POINTERS(A(0)))
CALL(unlinkat, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(0, 1, LINK) CHANGES_PATHS POINTERS(A(1)))
CALL(mkdir, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(AT_CWD, 0, LINK) CHANGES_PATHS POINTERS(A(0)))
CALL(mkdirat, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(0, 1, LINK) CHANGES_PATHS POINTERS(A(1)))
CALL(rmdir, UNDO(NOTHING) MODEL(answer_name_change) LOG(ANSWER) PATH(AT_CWD, 0, LINK) CHANGES_PATHS POINTERS(A(0)))
CALL(mknod, LOG(ANSWER))
CALL(mknodat, LOG(ANSWER))
CALL(chmod, UNDO(NOTHING) MODEL(answer_attributes) LOG(ANSWER) PATH(AT_CWD, 0, FOLLOW) CHANGES_PATHS POINTERS(A(0)))
CALL(fchmod, UNDO(NOTHING) MODEL(answer_attributes) LOG(ANSWER))
CALL(fchmodat, UNDO(NOTHING) MODEL(answer_attributes) LOG(ANSWER) PATH(0, 1, FOLLOW) CHANGES_PATHS)
CALL(chown, MODEL(answer_attributes) LOG(ANSWER) PATH(AT_CWD, 0, FOLLOW) CHANGES_PATHS POINTERS(A(0)))
CALL(fchown, MODEL(answer_attributes) LOG(ANSWER))
CALL(lchown, MODEL(answer_attributes) LOG(ANSWER) PATH(AT_CWD, 0, LINK) CHANGES_PATHS)
CALL(fchownat, MODEL(answer_attributes) LOG(ANSWER) PATH(0, 1, FOLLOW) CHANGES_PATHS)
CALL(utime, LOG(ANSWER))
CALL(utimes, LOG(ANSWER))
CALL(futimesat, LOG(ANSWER))
CALL(utimensat, MODEL(answer_attributes) LOG(ANSWER) PATH(0, 1, FOLLOW) CHANGES_PATHS POINTERS(A(1) | A(2)))
CALL(getxattr, LOG(ANSWER) FILLS(RESULT(2, 3, 1)))
CALL(lgetxattr, LOG(ANSWER) FILLS(RESULT(2, 3, 1)))
CALL(fgetxattr, LOG(ANSWER) FILLS(RESULT(2, 3, 1)))
CALL(listxattr, LOG(ANSWER) FILLS(RESULT(1, 2, 1)))
CALL(llistxattr, LOG(ANSWER) FILLS(RESULT(1, 2, 1)))
CALL(flistxattr, LOG(ANSWER) FILLS(RESULT(1, 2, 1)))
CALL(setxattr, LOG(ANSWER))
CALL(lsetxattr, LOG(ANSWER))
CALL(fsetxattr, LOG(ANSWER))
CALL(removexattr, LOG(ANSWER))
CALL(lremovexattr, LOG(ANSWER))
CALL(fremovexattr, LOG(ANSWER))

/* file systems and the machine */
CALL(mount, LOG(ANSWER))
CALL(umount2, LOG(ANSWER))
CALL(fsopen, LOG(ANSWER))
CALL(fsconfig, LOG(ANSWER))
CALL(fsmount, LOG(ANSWER))
CALL(fspick, LOG(ANSWER))
CALL(move_mount, LOG(ANSWER))
CALL(mount_setattr, LOG(ANSWER))
CALL(pivot_root, LOG(ANSWER))
CALL(swapon, LOG(ANSWER))
CALL(swapoff, LOG(ANSWER))
CALL(acct, LOG(ANSWER))
CALL(vhangup, LOG(ANSWER))
CALL(reboot, LOG(ANSWER))
CALL(setns, LOG(ANSWER))
CALL(unshare, LOG(ANSWER))
CALL(sethostname, LOG(ANSWER))
CALL(setdomainname, LOG(ANSWER))
CALL(uname, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(0, sizeof(struct utsname))) POINTERS(A(0)))
CALL(sysinfo, UNDO(NOTHING) MODEL(answer_machine) LOG(ANSWER) FILLS(FIXED(0, sizeof(struct sysinfo))) POINTERS(A(0)))
CALL(syslog, LOG(ANSWER) FILLS(RESULT(1, 2, 1)))

/* memory */
CALL(mmap, UNDO(MAPS) KERNEL(kernel_map) MODEL(answer_map) LOG(MAP) DEPENDS(OWN_MEMORY, 6) NO_STEP)
CALL(munmap, UNDO(UNMAPS) KERNEL(kernel_map) MODEL(answer_unmap) LOG(AGAIN) DEPENDS(OWN_MEMORY, 2) NO_STEP)
CALL(mremap, KERNEL(kernel_map) MODEL(answer_unmap) LOG(AGAIN) DEPENDS(OWN_MEMORY, 5) NO_STEP)
CALL(mprotect, UNDO(PROTECTS) MODEL(answer_protect) LOG(AGAIN) DEPENDS(OWN_MEMORY, 3) NO_STEP)
CALL(brk, UNDO(BREAK) KERNEL(kernel_map) MODEL(answer_from_kernel) LOG(AGAIN) DEPENDS(OWN_MEMORY, 1) NO_STEP)
CALL(madvise, UNDO(ADVISES) KERNEL(kernel_madvise) MODEL(answer_from_kernel) LOG(AGAIN) DEPENDS(OWN_MEMORY, 3) NO_STEP)
CALL(msync, UNDO(NOTHING) MODEL(answer_zero) LOG(ANSWER))
CALL(mincore, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(PAGES(2, 1)) POINTERS(A(2)))
CALL(mlock, MODEL(answer_from_kernel) LOG(AGAIN))
CALL(mlock2, LOG(AGAIN))
CALL(munlock, MODEL(answer_from_kernel) LOG(AGAIN))
CALL(mlockall, LOG(AGAIN))
CALL(munlockall, LOG(AGAIN))
CALL(mbind, LOG(AGAIN))
CALL(set_mempolicy, LOG(AGAIN))
CALL(get_mempolicy, LOG(ANSWER) FILLS(FIXED(0, 4), BITS(1, 2)))
CALL(membarrier, MODEL(answer_from_kernel) LOG(AGAIN))
CALL(pkey_alloc, MODEL(answer_from_kernel) LOG(AGAIN))
CALL(pkey_free, MODEL(answer_from_kernel) LOG(AGAIN))
CALL(pkey_mprotect, MODEL(answer_protect) LOG(AGAIN))

/* System V and POSIX interprocess communication */
CALL(shmget, LOG(ANSWER))
CALL(shmat, KERNEL(kernel_shmat) LOG(SHMAT))
CALL(shmdt, LOG(SHMDT))
CALL(shmctl, LOG(ANSWER) POINTERS(A(2)))
CALL(semget, LOG(ANSWER))
CALL(semop, LOG(ANSWER))
CALL(semtimedop, LOG(ANSWER))
CALL(semctl, LOG(ANSWER))
CALL(msgget, LOG(ANSWER))
CALL(msgsnd, LOG(ANSWER))
CALL(msgrcv, LOG(ANSWER) FILLS(TYPED(1)))
CALL(msgctl, LOG(ANSWER))
CALL(mq_open, LOG(ANSWER))
CALL(mq_unlink, LOG(ANSWER))
CALL(mq_timedsend, LOG(ANSWER))
CALL(mq_timedreceive, LOG(ANSWER) FILLS(RESULT(1, 2, 1), FIXED(3, 4)))
CALL(mq_notify, LOG(ANSWER))
CALL(mq_getsetattr, LOG(ANSWER) FILLS(FIXED(2, 64)))

/* time */
CALL(clock_gettime, UNDO(NOTHING) KERNEL(kernel_clock_gettime) MODEL(answer_clock) LOG(ANSWER)
      FILLS(FIXED(1, sizeof(struct timespec))) POINTERS(A(1)) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(clock_getres, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct timespec)))
      POINTERS(A(1)))
CALL(clock_settime, LOG(ANSWER))
CALL(clock_adjtime, LOG(ANSWER) FILLS(FIXED(1, sizeof(struct timex))))
CALL(adjtimex, LOG(ANSWER) FILLS(FIXED(0, sizeof(struct timex))))
CALL(gettimeofday, UNDO(NOTHING) KERNEL(kernel_gettimeofday) LOG(ANSWER) FILLS(FIXED(0, sizeof(struct timeval)))
      POINTERS(A(0) | A(1)) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(settimeofday, LOG(ANSWER))
CALL(time, UNDO(NOTHING) KERNEL(kernel_time) POINTERS(A(0)) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(times, UNDO(NOTHING) KERNEL(kernel_times) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(0, sizeof(struct tms)))
      POINTERS(A(0)) UNCLEAR_STEP)
CALL(nanosleep, UNDO(NOTHING) KERNEL(kernel_nanosleep) POINTERS(A(0) | A(1)) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(clock_nanosleep, UNDO(NOTHING) KERNEL(kernel_clock_nanosleep) POINTERS(A(2) | A(3)) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(getitimer, KERNEL(kernel_getitimer) POINTERS(A(1)))
CALL(setitimer, KERNEL(kernel_setitimer) POINTERS(A(1) | A(2)))
CALL(alarm, KERNEL(kernel_alarm))
CALL(timer_create, KERNEL(kernel_timer_create) POINTERS(A(1) | A(2)))
CALL(timer_settime, KERNEL(kernel_timer_settime) POINTERS(A(2) | A(3)))
CALL(timer_gettime, KERNEL(kernel_timer_gettime) POINTERS(A(1)))
CALL(timer_getoverrun, KERNEL(kernel_timer_getoverrun))
CALL(timer_delete, KERNEL(kernel_timer_delete))

/* threads and processes */
CALL(futex, UNDO(NOTHING) KERNEL(kernel_futex) POINTERS(A(0)) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(futex_waitv, KERNEL(kernel_refuse))
CALL(set_robust_list, UNDO(NOTHING) KERNEL(kernel_set_robust_list) MODEL(answer_from_kernel) LOG(AGAIN) DEPENDS(NO_EFFECT, 0)
      NO_STEP)
CALL(get_robust_list, KERNEL(kernel_get_robust_list) MODEL(answer_from_kernel) LOG(AGAIN))
CALL(set_tid_address, UNDO(NOTHING) KERNEL(kernel_set_tid_address))
CALL(rseq, KERNEL(kernel_rseq) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(clone, UNDO(NOTHING) KERNEL(kernel_clone) MODEL(answer_new_process) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(clone3, UNDO(NOTHING) KERNEL(kernel_clone) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(fork, KERNEL(kernel_fork) UNCLEAR_STEP)
CALL(vfork, KERNEL(kernel_fork) UNCLEAR_STEP)
CALL(execve, KERNEL(kernel_execve) POINTERS(A(0) | A(1) | A(2)) UNCLEAR_STEP)
CALL(execveat, KERNEL(kernel_execve) UNCLEAR_STEP)
CALL(exit, UNDO(NOTHING) KERNEL(kernel_exit) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(exit_group, UNDO(NOTHING) KERNEL(kernel_exit_group))
CALL(wait4, KERNEL(kernel_wait) MODEL(answer_wait) LOG(ANSWER) FILLS(FIXED(1, 4), FIXED(3, sizeof(struct rusage)))
      POINTERS(A(1) | A(3)) UNCLEAR_STEP)
CALL(waitid, KERNEL(kernel_wait) MODEL(answer_wait) LOG(ANSWER)
      FILLS(FIXED(2, sizeof(siginfo_t)), FIXED(4, sizeof(struct rusage))) POINTERS(A(2) | A(4)) UNCLEAR_STEP)
CALL(prctl, KERNEL(kernel_prctl) MODEL(answer_from_kernel) LOG(AGAIN))
CALL(arch_prctl, KERNEL(kernel_arch_prctl) MODEL(answer_from_kernel) LOG(AGAIN))
CALL(kcmp, LOG(ANSWER))
CALL(io_uring_setup, KERNEL(kernel_refuse))

/* scheduling and limits */
CALL(sched_yield, UNDO(NOTHING) KERNEL(kernel_yield) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(getcpu, UNDO(NOTHING) KERNEL(kernel_getcpu) MODEL(answer_from_kernel) LOG(AGAIN) DEPENDS(NO_EFFECT, 0))
CALL(sched_getaffinity, UNDO(NOTHING) KERNEL(kernel_getaffinity) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(RESULT(2, 1, 1))
      POINTERS(A(2)) DEPENDS(NO_EFFECT, 0))
CALL(sched_setaffinity, KERNEL(kernel_setaffinity) MODEL(answer_zero) LOG(ANSWER) POINTERS(A(2)))
CALL(sched_getscheduler, UNDO(NOTHING) KERNEL(kernel_own_pid) LOG(ANSWER))
CALL(sched_setscheduler, KERNEL(kernel_own_pid) LOG(ANSWER))
CALL(sched_getparam, UNDO(NOTHING) KERNEL(kernel_own_pid) LOG(ANSWER) FILLS(FIXED(1, 4)))
CALL(sched_setparam, KERNEL(kernel_own_pid) LOG(ANSWER))
CALL(sched_getattr, KERNEL(kernel_own_pid) LOG(ANSWER) FILLS(TIMES(1, 2, 1)))
CALL(sched_setattr, KERNEL(kernel_own_pid) LOG(ANSWER))
CALL(sched_get_priority_max, UNDO(NOTHING) LOG(ANSWER))
CALL(sched_get_priority_min, UNDO(NOTHING) LOG(ANSWER))
CALL(sched_rr_get_interval, LOG(ANSWER) FILLS(FIXED(1, sizeof(struct timespec))))
CALL(getpriority, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER))
CALL(setpriority, MODEL(answer_zero) LOG(ANSWER))
CALL(ioprio_get, LOG(ANSWER))
CALL(ioprio_set, MODEL(answer_zero) LOG(ANSWER))
CALL(getrusage, UNDO(NOTHING) MODEL(answer_usage) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct rusage))) POINTERS(A(1)))
CALL(getrlimit, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(1, sizeof(struct rlimit))) POINTERS(A(1)))
CALL(setrlimit, MODEL(answer_from_kernel) LOG(ANSWER) POINTERS(A(1)))
CALL(prlimit64, UNDO(LIMITS) KERNEL(kernel_own_pid) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(3, sizeof(struct rlimit)))
      POINTERS(A(2) | A(3)))

/* identity */
CALL(getpid, UNDO(NOTHING) KERNEL(kernel_getpid) MODEL(answer_from_kernel) LOG(ANSWER) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(gettid, UNDO(NOTHING) KERNEL(kernel_gettid) DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(getppid, UNDO(NOTHING) KERNEL(kernel_getppid) MODEL(answer_from_kernel) LOG(ANSWER) DEPENDS(NO_EFFECT, 0))
CALL(getpgrp, UNDO(NOTHING) KERNEL(kernel_own_group) MODEL(answer_from_kernel) LOG(ANSWER))
CALL(getpgid, UNDO(NOTHING) KERNEL(kernel_own_pid) MODEL(answer_from_kernel) LOG(ANSWER))
CALL(setpgid, KERNEL(kernel_own_pid) MODEL(answer_zero) LOG(ANSWER))
CALL(getsid, UNDO(NOTHING) KERNEL(kernel_own_pid) MODEL(answer_from_kernel) LOG(ANSWER))
CALL(setsid, KERNEL(kernel_own_group) MODEL(answer_zero) LOG(ANSWER))
CALL(getuid, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) DEPENDS(NO_EFFECT, 0))
CALL(geteuid, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) DEPENDS(NO_EFFECT, 0))
CALL(getgid, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER))
CALL(getegid, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER))
CALL(setuid, MODEL(answer_zero) LOG(ANSWER))
CALL(setgid, MODEL(answer_zero) LOG(ANSWER))
CALL(setreuid, LOG(ANSWER))
CALL(setregid, LOG(ANSWER))
CALL(setresuid, LOG(ANSWER))
CALL(setresgid, LOG(ANSWER))
CALL(getresuid, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(0, 4), FIXED(1, 4), FIXED(2, 4)))
CALL(getresgid, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(0, 4), FIXED(1, 4), FIXED(2, 4)))
CALL(setfsuid, LOG(ANSWER))
CALL(setfsgid, LOG(ANSWER))
CALL(getgroups, UNDO(NOTHING) MODEL(answer_from_kernel) LOG(ANSWER) FILLS(RESULT(1, 0, 4)))
CALL(setgroups, MODEL(answer_zero) LOG(ANSWER))
CALL(capget, MODEL(answer_from_kernel) LOG(ANSWER) FILLS(FIXED(0, 8), FIXED(1, 24)))
CALL(capset, LOG(ANSWER))
CALL(personality, LOG(ANSWER))
CALL(add_key, LOG(ANSWER))
CALL(request_key, LOG(ANSWER))
CALL(landlock_create_ruleset, LOG(ANSWER))
CALL(landlock_add_rule, LOG(ANSWER))
CALL(landlock_restrict_self, LOG(ANSWER))

/* signals */
CALL(rt_sigaction, UNDO(HANDLER) KERNEL(signals_action) MODEL(answer_from_kernel) LOG(AGAIN) POINTERS(A(1) | A(2))
      UNCLEAR_STEP)
CALL(rt_sigprocmask, UNDO(NOTHING) KERNEL(signals_mask) MODEL(answer_from_kernel) LOG(AGAIN) POINTERS(A(1) | A(2))
      DEPENDS(NO_EFFECT, 0) NO_STEP)
CALL(rt_sigpending, UNDO(NOTHING) KERNEL(signals_pending) POINTERS(A(0)))
CALL(rt_sigsuspend, KERNEL(signals_suspend) POINTERS(A(0)))
CALL(rt_sigtimedwait, KERNEL(signals_timedwait) POINTERS(A(0) | A(1) | A(2)))
CALL(sigaltstack, KERNEL(signals_altstack) MODEL(answer_from_kernel) LOG(AGAIN) POINTERS(A(0) | A(1)))
CALL(pause, KERNEL(signals_pause))
CALL(kill, KERNEL(signals_kill) MODEL(answer_zero) LOG(ANSWER) DEPENDS(ARGUMENTS, 2))
CALL(tkill, UNDO(NOTHING) KERNEL(signals_tkill) DEPENDS(ARGUMENTS, 2))
CALL(tgkill, UNDO(NOTHING) KERNEL(signals_tgkill) DEPENDS(ARGUMENTS, 3))
CALL(rt_sigqueueinfo, KERNEL(signals_queueinfo))
CALL(rt_tgsigqueueinfo, KERNEL(signals_tgqueueinfo))
CALL(pidfd_send_signal, LOG(ANSWER))

/* clang-format on */

#undef CALL
#undef KERNEL
#undef MODEL
#undef LOG
#undef FILLS
#undef SENDS
#undef PATH
#undef PATHS
#undef CHANGES_PATHS
#undef POINTERS
#undef DEPENDS
#undef NO_STEP
#undef UNCLEAR_STEP
#undef ACTS_ON_ERROR
#undef ONLY_ASKS
#undef MAKES_FD
#undef MAKES_PAIR
#undef UNDO
