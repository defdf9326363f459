/*
 * The parts of the model, and what they share.  In: requests from model.c, one for each call.  Out: results, and memory
 * of the program that is filled.  Only files of this room include it; other rooms use model.h.
 */
#ifndef OMEN_PARTS_H
#define OMEN_PARTS_H

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rt/model/model.h"
#include "rt/kernel/paths.h"

/*
 * A call.  With an entry of the log: the recording has answered it, successfully but for calls that act on an error too
 * (kernel/syscalls.h), and the model only does what it did.  Without: the model answers it.
 */
struct request {
	long nr;
	const long *arg;
	const struct world_entry *entry;
};

/* ---- what comes from outside: arrivals.c ---- */

enum arrival_kind { ARRIVAL_BYTES, ARRIVAL_END, ARRIVAL_CONNECTION, ARRIVAL_SIGNAL };

struct arrival {
	enum arrival_kind kind;
	bool released; /* it comes whatever its gate says */
	bool over;     /* the program has taken it */
	uint32_t taken;
	uint64_t gate; /* it comes when the program has sent so many bytes on its stream; a connection: when it has
	                  closed so many connections; a signal: at this point */
	uint64_t sent; /* what the program had sent on all connections when the recording read it */
	const struct world_entry *entry;
	struct arrival *next;        /* of the same stream */
	struct arrival *next_of_all; /* in the order of the log */
	struct stream *stream;       /* a connection: what comes on it */
};

/* What comes on one descriptor of the recording. */
struct stream {
	struct arrival *first, *last;
	uint64_t sent;                /* bytes that the program has sent on it */
	bool is_connection;           /* with the outside */
	uint64_t over;                /* so many arrivals were taken */
	const struct world_entry *to; /* of a connection that the program made: the call */
	int failed;                   /* and its error */
	bool undecided;               /* or it is not known yet whether it failed */
	const void *local;            /* of a socket: its address, where the recording has it */
	uint32_t local_size;
	bool claimed;        /* a connection of this execution uses it */
	struct stream *next; /* of those that the program made */
};

void arrivals_gather(void);
/* Follow: the stream of the next descriptor that the recording made. */
struct stream *arrivals_next_stream(void);
struct stream *arrivals_standard(void);
/* Of a connection that the recording made to this address, or NULL. */
struct stream *arrivals_claim(const void *address, uint32_t size);
/* The next arrival, if it has come by now, or NULL. */
struct arrival *arrivals_ready(struct stream *s);
/* A number that changes when something comes. */
uint64_t arrivals_count(struct stream *s);
void arrivals_take(struct stream *s, uint32_t bytes);
/* A connection was closed. */
void arrivals_closed(void);
void arrivals_sent(struct stream *s, uint64_t bytes);
const uint8_t *arrival_bytes(const struct arrival *a, uint32_t *size);
/* Nobody can go on: what is next in the order of the recording comes now.  False: there is nothing. */
bool arrivals_release(void);
bool arrival_is_end(const struct arrival *a);
/* The end of the recorded part comes now.  False: it is not in the log. */
bool arrivals_release_end(void);
/* Everything has come, but for that end. */
bool arrivals_are_over(void);
/* The next signal, due or not. */
struct arrival *arrivals_signal(void);
/* It was let in. */
void arrivals_signalled(void);
/* The descriptors that this call has made: returns how many. */
uint32_t arrivals_new_descriptors(const struct world_entry *e, int fd[2]);

/* ---- bytes that the program sends itself: channel.c ---- */

enum channel_kind { CHANNEL_PIPE, CHANNEL_STREAM, CHANNEL_PACKETS };

#define PIPE_PAGES 16

struct piece {
	uint32_t left, end; /* `end`: of a page, how far it is written */
	bool packet;
};

struct channel {
	enum channel_kind kind;
	uint8_t *data; /* a ring */
	uint32_t room, start, used;
	struct piece *pieces; /* a ring */
	uint32_t most, first, count;
	struct open *reader, *writer; /* NULL: closed */
	uint64_t inode;               /* as the recording knows it, or 0 */
};

struct taken {
	uint64_t bytes, whole; /* `whole`: the size of a packet of which `bytes` were taken */
	bool was_full;
	bool emptied; /* a piece was used up */
};

struct channel *channel_new(enum channel_kind kind);
void channel_free(struct channel *c);
/* Drops all bytes. */
void channel_purge(struct channel *c);
/* Returns how many bytes fit, or an error. */
long channel_put(struct channel *c, const struct iovec *iov, size_t n, bool packet);
struct taken channel_take(struct channel *c, const struct iovec *iov, size_t n, bool peek);
bool channel_has_room(const struct channel *c);
/* False: it holds more. */
bool channel_resize(struct channel *c, uint32_t pages);

/* ---- output: outputs.c ---- */

struct output_stream; /* a stream of bytes; NULL: nobody wants to know */
struct node;

bool outputs_are_wanted(void);
/* A new stream: number n of its name. */
struct output_stream *outputs_new_stream(enum output_kind kind, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
/* The stream that has this name already, or a new one. */
struct output_stream *outputs_named_stream(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Standard output or error. */
struct output_stream *outputs_standard_stream(int fd);
/* So many bytes of these were written; `packet`: the receiver sees its end. */
void outputs_put(struct output_stream *s, const struct iovec *iov, size_t n, long bytes, bool packet);
/* Bytes were written that are not known. */
void outputs_lose(struct output_stream *s);

/* A file is about to change: notes what it was. */
void outputs_file_changes(struct node *n);
/* These bytes of it are written, come or go now. */
void outputs_file_writes(struct node *n, uint64_t at, uint64_t size);
/* The name is about to stand for something else. */
void outputs_name_changes(const char *name);
/* Reports a name if the file that it stands for now is not as it was; NULL: there is none. */
void outputs_file(const char *name, const struct node *first, bool was_there, struct node *now);

/* ---- files of the model: file_nodes.c ---- */

struct mapping {
	struct mapping *next;
	uint64_t address, size, offset;
	long prot;
	bool written; /* the program can write to it, or could before */
	dev_t dev;    /* which file, if it is one of the real file system */
	ino_t ino;
};

struct node {
	struct stat st;
	uint8_t *data;
	uint64_t room, high; /* behind `high` all is zero, and has no memory */
	bool borrowed;       /* the data belongs to the log: it must not be changed */
	bool lost;           /* the data is not known; of a directory: what is in it */
	bool made;           /* by this execution; a directory: everything in it is in the table of names */
	char *target;        /* of a symbolic link */
	struct mapping *shared;
	struct node *mapped; /* the next node that has, or had, such mappings */
	bool changed;        /* perhaps; then `before` is its hash before that */
	uint64_t before;
	struct writer *writer; /* of the byte that is searched */
	bool stored;           /* the program could write to it where it is mapped: nobody sees who does */
};

struct node *node_new(uint32_t mode);
struct node *node_from(const struct stat *st, const uint8_t *data, uint64_t size);
/* Takes over what stands in its mappings. */
void node_settle(struct node *n);
void node_read(struct node *n, uint64_t at, void *to, uint64_t size);
void node_write(struct node *n, uint64_t at, const void *from, uint64_t size);
void node_resize(struct node *n, uint64_t size);
void node_clear(struct node *n, uint64_t at, uint64_t size);
void node_map(struct node *n, const struct mapping *m);
void node_map_real_file(const struct stat *st, const struct mapping *m);
/* The node is the copy of a real file: takes over the mappings of that. */
void node_adopt(struct node *n);
/* Replaces memory of a real file by memory of the model. */
void node_replace(struct node *n, const struct mapping *m);
void node_unmap(uint64_t low, uint64_t high);
void node_protect(uint64_t low, uint64_t high, long prot);
void node_remap(uint64_t from, uint64_t old_size, uint64_t to, uint64_t size, bool done);

/* ---- names of files: name_table.c ---- */

/* The current directory; NULL: it was removed. */
const char *names_current_directory(void);
void names_change_directory(const char *here);
/* From the log: what a name stood for before the program changed it. */
void names_add_before(const struct world_entry *e);
void names_read_umask(void);
uint32_t names_umask(void);
long answer_umask(const struct request *);

/* What a path ends with. */
enum last { LAST_NAME, LAST_DOT, LAST_DOTS, LAST_ROOT };

/* What a path leads to. */
struct lookup {
	char name[PATH_SIZE]; /* absolute, without links */
	enum last last;
	bool slash;        /* the path ends with one: it means a directory */
	bool too_long;     /* its last step is */
	bool there;        /* something is */
	bool known;        /* the table has it, or that it is not there; otherwise only the real file system knows */
	struct node *node; /* if known and there */
	struct stat st;    /* if there */
};

/* *error is 0 or the error.  `which`: of the paths of a call.  The answer is valid until the next call. */
struct lookup *names_find(const struct request *a, const struct path_arg *n, uint32_t which, long *error);
/* For what is about to be made, moved or removed there: a link at the end is itself meant. */
struct lookup *names_find_target(const struct request *a, const struct path_arg *n, uint32_t which, long *error);
/* The node; one of the real file system is copied.  NULL: there is none. */
struct node *names_copy_in(struct lookup *f);
/* A new file in a directory. */
void names_make(const char *name, struct node *n);
void names_set(const char *name, struct node *n);
void names_remove(struct lookup *f);
void names_move(struct lookup *from, struct lookup *to);
bool names_directory_is_empty(const char *name);
bool names_is_above(const char *name, const char *below);
struct lookup *names_look_up(const char *name);
/* Is there a directory for it to be in? */
bool names_has_parent(const char *name);
void names_each(void (*f)(const char *name, const struct node *first, bool was_there, struct node *now));
/* What getdents64 gives of the whole directory: returns its size. */
uint64_t names_list(const char *name, uint8_t **out, uint64_t *room);

/* ---- descriptors: descriptors.c ---- */

enum kind {
	KIND_OUTPUT,    /* standard output and error */
	KIND_NODE,      /* a file of the model */
	KIND_REAL_FILE, /* a file or directory of the real file system, only read */
	KIND_DEVICE,    /* of the kind that keeps nothing */
	KIND_PIPE,
	KIND_SOCKET,
	KIND_STREAM, /* anything else that something comes from */
	KIND_EVENTFD,
	KIND_EPOLL,
};

/* What an epoll instance watches. */
struct watch {
	struct watch *next;
	int fd;
	struct open *open;
	uint32_t events;
	uint64_t data;
	uint64_t seen_in, seen_out; /* news_in and news_out of the open file when they were last reported */
	bool off;                   /* EPOLLONESHOT was reported */
};

/* A socket reads no more; it writes no more. */
#define SHUT_READ  1
#define SHUT_WRITE 2

/* An open file. */
struct open {
	enum kind kind;
	uint32_t refs; /* descriptors */
	long flags;
	uint64_t inode;
	uint64_t offset;
	struct node *node;
	long real;  /* a descriptor of the real file: KIND_REAL_FILE, KIND_DEVICE, KIND_OUTPUT; otherwise -1 */
	char *name; /* of a directory */
	uint8_t *listing;
	uint64_t listing_size, listing_room;
	bool gone;     /* a directory: it was removed */
	bool again;    /* the replay has opened the file again, as `real` */
	bool unlinked; /* KIND_REAL_FILE: its name was removed */
	char *listed;  /* a directory: the names that the recording has listed, each with its NUL */
	uint64_t listed_size, listed_room;
	struct channel *in, *out;
	bool exposed;                  /* other processes have it too: there may be more than in and out */
	struct output_stream *outside; /* what was written to it */
	struct stream *stream;
	uint64_t count;             /* KIND_EVENTFD */
	uint64_t news_in, news_out; /* so often was woken who waits for it */
	bool semaphore;
	struct watch *watches;
	uint8_t lock; /* flock: 1 shared, 2 exclusive */
	/* sockets */
	int domain, type, error;
	uint8_t shut;
	bool listening, connected, connecting;
	bool free_port;     /* the kernel has chosen the port */
	bool finished;      /* TCP: the other side has said that it will send no more */
	bool over;          /* TCP: both sides have said so, or it was reset */
	struct node *place; /* a local socket: the file of its name */
	uint8_t local[128], peer[128];
	uint32_t local_size, peer_size;
	struct timeval receive_limit, send_limit;
	struct open *waiting, *next_waiting; /* connections that the program made to itself */
};

#define DESCRIPTORS 4096

struct open *descriptor(long fd);
struct open *open_new(enum kind kind, long flags);
/* No descriptor refers to it. */
void open_free(struct open *o);
/* Where the recording had it, or at the lowest free number.  If there is none: frees it and returns the error. */
long descriptor_place(const struct request *a, struct open *o, bool cloexec);
void descriptor_put(long fd, struct open *o, bool cloexec);
void descriptor_close(long fd);
void descriptors_start(void);
void descriptors_own_files(void);
/* A process was made: it has them too. */
void descriptors_expose(void);
/* The execution leaves its recording: what may have come from outside is news for epoll. */
void descriptors_mark_news(void);
/* A directory was moved; NULL: removed. */
void descriptors_moved(const char *from, const char *to);
/* A real file was copied: whoever has it open uses the node from now on. */
void descriptors_use_node(struct node *n);
void descriptors_unlinked(const struct stat *st);
void descriptors_each(void (*f)(struct open *, void *), void *arg);
long answer_dup(const struct request *);
long answer_close(const struct request *);
long answer_close_range(const struct request *);
long answer_fcntl(const struct request *);
long answer_ioctl(const struct request *);
long answer_flock(const struct request *);

/* ---- reading and writing: transfer.c, messages.c, copying.c ---- */

long answer_read(const struct request *);
long answer_write(const struct request *);
long answer_receive(const struct request *);
long answer_send(const struct request *);
long answer_copy(const struct request *);
/* How many bytes a read gets without waiting; behind the end of a file it is negative. */
int64_t open_available(struct open *o);

/* ---- making pipes, sockets and counters: new_descriptors.c ---- */

long answer_pipe(const struct request *);
long answer_eventfd(const struct request *);
long answer_socket(const struct request *);
long answer_socketpair(const struct request *);
long answer_event_source(const struct request *);

/* ---- sockets: socket_names.c, connections.c, sockets.c ---- */

long answer_bind(const struct request *);
long answer_listen(const struct request *);
long answer_socket_name(const struct request *);
bool address_is_same(const void *address, uint32_t size, const void *local, uint32_t local_size);
struct open *socket_find(int type, const void *address, uint32_t size, bool listening, long *error);
/* The output stream of datagrams to this address. */
struct output_stream *datagrams_to(const void *address, uint32_t size);

long answer_accept(const struct request *);
long answer_connect(const struct request *);
long answer_shutdown(const struct request *);
/* The last descriptor of a socket was closed. */
void socket_closed(struct open *o);

long answer_getsockopt(const struct request *);
long answer_setsockopt(const struct request *);
/* Wakes who waits for it. */
void open_wake(struct open *o, bool in, bool out);
/* Both ends are the program's. */
bool open_is_internal(const struct open *o);
long socket_put(struct open *o, const struct iovec *iov, size_t n, bool quiet);
long socket_take(struct open *o, const struct iovec *iov, size_t n, bool peek, uint64_t *whole);

/* ---- what is ready: readiness.c ---- */

short open_ready(struct open *o);
long answer_poll(const struct request *);
long answer_epoll_create(const struct request *);
long answer_epoll_ctl(const struct request *);
long answer_epoll_wait(const struct request *);
/* The last descriptor of it was closed. */
void watches_forget(struct open *o);

/* ---- files: opening.c, file_sizes.c, file_status.c, directories.c, file_changes.c, file_mappings.c ---- */

long answer_open(const struct request *);
long answer_memfd(const struct request *);
long answer_seek(const struct request *);
long answer_truncate(const struct request *);
long answer_allocate(const struct request *);
long answer_sync(const struct request *);
long answer_stat(const struct request *);
long answer_access(const struct request *);
long answer_readlink(const struct request *);
void open_stat(struct open *o, struct stat *st);
/* May a process of this user, by the mode of the file?  R_OK, W_OK, X_OK. */
bool file_is_allowed(const struct stat *st, long wanted, uid_t uid, gid_t gid);
long answer_getdents(const struct request *);
/* The position in a directory was set: if to its beginning, it is listed anew. */
void directory_list_again(struct open *o);
long answer_current_directory(const struct request *);
long answer_name_change(const struct request *);
long answer_attributes(const struct request *);
long answer_map(const struct request *);
long answer_unmap(const struct request *);
long answer_protect(const struct request *);

/* ---- model.c ---- */

extern struct model {
	bool departed; /* the execution has left its recording */
	uint64_t departed_points;
	int64_t departed_at; /* when, without the time that was let pass */
	int64_t now;         /* the clock outside */
	bool lost;           /* descriptors came in a way that is not followed */
	bool broken_pipe;    /* SIGPIPE is due */
} model;

/* Zeros; an execution that needs more than POOL_LARGEST ends (model_unknown). */
void *model_alloc(uint64_t size);
void model_free(void *memory, uint64_t size); /* may be NULL */
/* A copy with a NUL. */
char *model_text(const void *from, uint64_t size);
char *model_copy_text(const char *text);

/* The recording does not tell, and any answer might be wrong: the execution ends here. */
void __attribute__((noreturn)) model_unknown(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The recording does not tell, but the answer is one that a world may give: the board says that it is made up. */
void model_invents(const char *what);

#endif
