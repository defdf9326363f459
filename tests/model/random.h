/*
 * The random calls of random.c.  random.c has the descriptors and names that the calls work on; random_files.c calls
 * what works on files, names and memory, random_channels.c what works on pipes, sockets, counters and any descriptor.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define SLOTS    14
#define MAPS     3
#define NAMES    27
#define BIG      150000
#define PAGE     4096
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

extern int slot[SLOTS]; /* descriptors, or -1 */
extern int queued;      /* bytes in transit through sockets, at most */
extern uint8_t bytes[BIG], got[BIG];
extern const char *const names[NAMES];

struct map {
	uint8_t *at;
	size_t size;
	dev_t dev;
	ino_t ino;
	bool shared, writable;
	int fd; /* a copy of the descriptor, to ask for the size of the file */
};
extern struct map maps[MAPS];

/* A random number below the limit. */
uint32_t any(uint32_t below);
/* True in so many percent of all calls. */
bool chance(uint32_t percent);
uint32_t hash(const void *data, long n);
/* Prints one line: the call and its result. */
void print_result(long result, const char *format, ...);
/* A name, usually of a file that may exist. */
const char *name(void);
int any_slot(void);
/* Usually an open descriptor. */
int fd(void);
bool is(int f, mode_t type);
/* An open descriptor of this type, if one is found. */
int fd_of(mode_t type);
void drop(int i);
/* The new descriptor takes the place of another. */
void keep(int f);
bool can(int f, short events);
/* True if the call would wait: no other thread would wake this one. */
bool would_wait(int f, short events);
bool is_socket(int f);
bool is_counter(int f);
/* How much to write: little to what blocks, and to sockets, whose capacity differs. */
size_t amount(int f);
int type_of(int f);
/* False if kernels differ about this packet, or the sockets may be full. */
bool may_send(int f, size_t n);
/* Fills `bytes` with a new pattern. */
void fill(size_t n);

void do_open(void);
void do_openat(void);
void do_directory(void);
void do_tmpfile(void);
void do_memfd(void);
void do_read(void);
void do_pread(void);
void do_readv(void);
void do_write(void);
void do_pwrite(void);
void do_writev(void);
void do_seek(void);
void do_truncate(void);
void do_allocate(void);
void do_stat(void);
void do_access(void);
void do_list(void);
void do_here(void);
void do_names(void);
void do_mode(void);
void do_map(void);
void do_touch(void);

void do_dup(void);
void do_fcntl(void);
void do_ioctl(void);
void do_flock(void);
void do_close(void);
void do_wrong(void);
void do_pipe(void);
void do_pair(void);
void do_connect(void);
void do_send(void);
void do_receive(void);
void do_shutdown(void);
void do_option(void);
void do_counter(void);
void do_count(void);
void do_copy(void);
void do_splice(void);
void do_poll(void);
void do_select(void);
void do_watch(void);
void do_watched(void);

#endif
