/* The parts of the model, and what they share. */
#ifndef OMEN_PARTS_H
#define OMEN_PARTS_H

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "rt/model/model.h"
#include "rt/kernel/paths.h"

/* A call: to be answered, or (with its entry) to be followed, and then it has succeeded. */
struct ask {
	long nr;
	const long *arg;
	const struct world_entry *entry;
};

/* ---- what comes from outside: arrivals.c ---- */

enum arrival_kind { ARRIVAL_BYTES, ARRIVAL_END, ARRIVAL_CONNECTION, ARRIVAL_SIGNAL };

struct arrival {
	enum arrival_kind kind;
	bool released; /* whatever its gate says */
	bool over;     /* it was taken */
	uint32_t taken;
	uint64_t gate; /* it comes when so much was sent on its stream (a connection: when so many were closed) */
	uint64_t sent; /* on all connections, when the recording read it */
	const struct world_entry *entry;
	struct arrival *next;  /* of the same stream */
	struct arrival *later; /* of all */
	struct stream *stream; /* a connection: what will come on it */
};

struct stream {
	struct arrival *now, *last;
	uint64_t sent;
	bool is_connection;           /* with the outside */
	uint64_t over;                /* arrivals that were taken */
	const struct world_entry *to; /* of a connection that the program made: the call */
	int failed;                   /* what came of that */
	bool undecided;
	const void *local; /* of a socket: its address, once the recording has heard of it */
	uint32_t local_size;
	bool claimed;
	struct stream *next; /* of those that the program made */
};

void arrivals_gather(void);
struct stream *arrivals_born(void); /* follow: the stream of the next descriptor that the recording made */
struct stream *arrivals_standard(void);
/* Of a connection that the recording made to this address, or NULL. */
struct stream *arrivals_claim(const void *address, uint32_t size);
struct arrival *arrivals_here(struct stream *s); /* the next that is there by now, or NULL */
uint64_t arrivals_count(struct stream *s);       /* changes when something has come */
void arrivals_take(struct stream *s, uint32_t bytes);
void arrivals_closed(void); /* a connection was closed */
void arrivals_sent(struct stream *s, uint64_t bytes);
const uint8_t *arrival_bytes(const struct arrival *a, uint32_t *size);
bool arrivals_release(void); /* nobody can go on: the next in the order of the recording comes now */
bool arrival_is_end(const struct arrival *a);
bool arrivals_release_end(void);       /* and if that was all: the recorded part ends now, if it was ended */
bool arrivals_are_over(void);          /* all has come, but for that */
struct arrival *arrivals_signal(void); /* the next, due or not */
void arrivals_signalled(void);         /* it was let in */
uint32_t arrivals_births(const struct world_entry *e, int fd[2]);

/* ---- memory: model.c ---- */

/* Zeros; an execution that needs more than POOL_LARGEST ends (model_unknown). */
void *model_alloc(uint64_t size);
void model_free(void *memory, uint64_t size); /* may be NULL */

/* ---- bytes that the program sends itself: channel.c ---- */

enum channel_kind { CHANNEL_PIPE, CHANNEL_STREAM, CHANNEL_PACKETS };

#define PIPE_PAGES 16

struct piece {
	uint32_t left, end; /* of a page: how far it is written */
	bool packet;
};

struct channel {
	enum channel_kind kind;
	uint8_t *data;
	uint32_t room, start, used;
	struct piece *pieces;
	uint32_t most, first, count;
	struct open *reader, *writer; /* NULL: closed */
	uint64_t inode;               /* as the recording knew it, or 0 */
};

struct taken {
	uint64_t bytes, whole;  /* `whole`: of a packet, all of it */
	bool was_full, emptied; /* `emptied`: a piece was used up */
};

struct channel *channel_new(enum channel_kind kind);
void channel_free(struct channel *c);
void channel_purge(struct channel *c);
long channel_put(struct channel *c, const struct iovec *iov, size_t n, bool packet);
struct taken channel_take(struct channel *c, const struct iovec *iov, size_t n, bool peek);
bool channel_has_room(const struct channel *c);
bool channel_resize(struct channel *c, uint32_t pages); /* false: it holds more */

/* ---- what is given to the outside: outputs.c ---- */

struct given; /* a stream of bytes */
struct node;

bool given_is_wanted(void);
/* A new stream: number n of its name. NULL if nobody wants to know. */
struct given *given_new(enum given_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The one that has this name already, or a new one. */
struct given *given_of_name(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Standard output or error. */
struct given *given_output(int fd);
/* So many bytes of these were given; `packet`: its end is seen, too. */
void given_put(struct given *g, const struct iovec *iov, size_t n, long bytes, bool packet);
/* Bytes were given that are not known. */
void given_loses(struct given *g);

/* A file is about to be changed: what it was is noted. And: these bytes of it are written, come or go now. */
void given_changes(struct node *n);
void given_writes(struct node *n, uint64_t at, uint64_t size);
/* The name is about to stand for something else. */
void given_names(const char *name);
/* A file that a name stood for at first, and does now; NULL: nothing. */
void given_file(const char *name, const struct node *first, bool was_there, struct node *now);

/* ---- files: file_nodes.c ---- */

struct mapping {
	struct mapping *next;
	uint64_t address, size, offset;
	long prot;
	bool written; /* it can be, or could once */
	dev_t dev;    /* of a file that is not ours: which */
	ino_t ino;
};

struct node {
	struct stat st;
	uint8_t *data;
	uint64_t room, high; /* behind `high` all is zero, and not there */
	bool borrowed;       /* the data is not ours to change */
	bool lost;           /* the data is not known; of a directory: what is in it */
	bool made;           /* by this execution: what is below a directory is all in the table */
	char *target;        /* of a symbolic link */
	struct mapping *shared;
	struct node *mapped; /* the next that has, or had, such mappings */
	bool changed;        /* perhaps; and what it was before */
	uint64_t before;
	struct writer *writer; /* of the byte that is looked for */
	bool stored;           /* to memory where it is mapped: nobody sees who */
};

struct node *node_new(uint32_t mode);
struct node *node_from(const struct stat *st, const uint8_t *data, uint64_t size);
void node_settle(struct node *n); /* what stands in its mappings is taken over */
void node_read(struct node *n, uint64_t at, void *to, uint64_t size);
void node_write(struct node *n, uint64_t at, const void *from, uint64_t size);
void node_resize(struct node *n, uint64_t size);
void node_clear(struct node *n, uint64_t at, uint64_t size);
void node_map(struct node *n, const struct mapping *m);
void node_map_lower(const struct stat *st, const struct mapping *m);
void node_adopt(struct node *n);
void node_replace(struct node *n, const struct mapping *m); /* memory of a real file by memory of ours */
void node_unmap(uint64_t low, uint64_t high);
void node_protect(uint64_t low, uint64_t high, long prot);
void node_remap(uint64_t from, uint64_t old_size, uint64_t to, uint64_t size, bool done);

/* ---- names: name_table.c ---- */

void places_start(const char *here);
void places_before(const struct world_entry *e);
const char *places_here(void); /* NULL: it was removed */
void places_start_umask(void);
uint32_t places_umask(void);
long answer_umask(const struct ask *);

/* What a name ends with, besides a name. */
enum last { LAST_NAME, LAST_DOT, LAST_DOTS, LAST_ROOT };

struct found {
	char name[NAME_SIZE];
	enum last last;
	bool slash;        /* the name ends with one: a directory is meant */
	bool too_long;     /* the last step was */
	bool there;        /* something is */
	bool known;        /* it is a node of ours, or known not to be there; otherwise the real file system has it */
	struct node *node; /* if known and there */
	struct stat st;    /* if there */
};

/* 0, or the error. The answer holds until the next call. */
struct found *places_find(const struct ask *a, const struct name *n, uint32_t which, long *error);
/* For what is about to be made, moved or removed there: a link at the end is itself meant. */
struct found *places_find_place(const struct ask *a, const struct name *n, uint32_t which, long *error);
struct node *places_own(struct found *f); /* the node, copied from the real file system if need be; NULL: cannot */
void places_make(const char *name, struct node *n); /* a new one */
void places_put(const char *name, struct node *n);
void places_remove(struct found *f);
void places_move(struct found *from, struct found *to);
bool places_is_empty(const char *name);
bool places_is_above(const char *name, const char *below);
struct found *places_look(const char *name);
bool places_parent(const char *name); /* is there a directory to be in? */
void places_each(void (*f)(const char *name, const struct node *first, bool was_there, struct node *now));
uint64_t places_list(const char *name, uint8_t **out, uint64_t *room);

/* ---- descriptors: descriptors.c ---- */

enum kind {
	KIND_OUTPUT, /* standard output and error */
	KIND_NODE,
	KIND_LOWER,  /* a file or directory of the real file system, only read */
	KIND_DEVICE, /* of the kind that keeps nothing */
	KIND_PIPE,
	KIND_SOCKET,
	KIND_STREAM, /* anything else that things come from */
	KIND_COUNTER,
	KIND_WATCHER,
};

struct watch {
	struct watch *next;
	int fd;
	struct open *open;
	uint32_t events;
	uint64_t data, seen_in, seen_out;
	bool off;
};

/* What a socket has heard or said: it will read no more, it will write no more. */
#define SHUT_READ  1
#define SHUT_WRITE 2

/* An open file. */
struct open {
	enum kind kind;
	uint32_t refs;
	long flags;
	uint64_t inode;
	uint64_t offset;
	struct node *node;
	long real;  /* KIND_LOWER, KIND_DEVICE: a descriptor of the real file */
	char *name; /* of a directory */
	uint8_t *listing;
	uint64_t listing_size, listing_room;
	bool gone;     /* a directory: it was removed */
	bool again;    /* the replay has opened the file again, as `real` */
	bool unlinked; /* KIND_LOWER: its name was removed */
	char *given;   /* a directory: the names that the recording has listed already, each with its NUL */
	uint64_t given_size, given_room;
	struct channel *in, *out;
	bool exposed;          /* others have it too: in and out are not all there is */
	struct given *outside; /* what was written to it */
	struct stream *stream;
	uint64_t count;             /* KIND_COUNTER */
	uint64_t news_in, news_out; /* so often whoever waits was woken */
	bool semaphore;
	struct watch *watches;
	uint8_t lock; /* flock: 1 shared, 2 exclusive */
	/* sockets */
	int domain, type, error;
	uint8_t shut;
	bool listening, connected, connecting;
	bool free_port;     /* the kernel has chosen it */
	bool finished;      /* TCP: the other side will send no more, and said so */
	bool over;          /* TCP: both sides have said so, or it was reset */
	struct node *place; /* a local socket's name */
	uint8_t local[128], peer[128];
	uint32_t local_size, peer_size;
	struct timeval receive_limit, send_limit;
	struct open *waiting, *next_waiting; /* connections that the program made to itself */
};

#define DESCRIPTORS 4096

struct open *descriptor(long fd);
struct open *open_new(enum kind kind, long flags);
void open_free(struct open *o); /* which no descriptor refers to */
long descriptor_place(const struct ask *a, struct open *o, bool cloexec);
void descriptor_put(long fd, struct open *o, bool cloexec);
void descriptor_close(long fd);
void descriptors_start(void);
void descriptors_own_files(void);
void descriptors_expose(void);                            /* a process was made */
void descriptors_arrive(void);                            /* departure: what may have come from outside is news */
void descriptors_moved(const char *from, const char *to); /* a directory; NULL: removed */
void descriptors_own(struct node *n);                     /* a file was copied */
void descriptors_unlinked(const struct stat *st);
void descriptors_each(void (*f)(struct open *, void *), void *arg);
long answer_dup(const struct ask *);
long answer_close(const struct ask *);
long answer_close_range(const struct ask *);
long answer_fcntl(const struct ask *);
long answer_ioctl(const struct ask *);
long answer_flock(const struct ask *);

/* transfer.c */
long answer_read(const struct ask *);
long answer_write(const struct ask *);
long answer_receive(const struct ask *);
long answer_send(const struct ask *);
long answer_copy(const struct ask *);
int64_t open_available(struct open *o); /* bytes to read, without waiting; behind the end of a file less than none */

/* sockets.c */
long answer_pipe(const struct ask *);
long answer_counter(const struct ask *);
long answer_socket(const struct ask *);
long answer_socketpair(const struct ask *);
long answer_bind(const struct ask *);
long answer_listen(const struct ask *);
long answer_accept(const struct ask *);
long answer_connect(const struct ask *);
long answer_shutdown(const struct ask *);
long answer_name(const struct ask *);
long answer_getsockopt(const struct ask *);
long answer_setsockopt(const struct ask *);
long answer_stream(const struct ask *);
void open_wake(struct open *o, bool in, bool out); /* whoever waits for it hears of it */
void socket_closed(struct open *o);
long socket_put(struct open *o, const struct iovec *iov, size_t n, bool quiet);
long socket_take(struct open *o, const struct iovec *iov, size_t n, bool peek, uint64_t *whole);
bool is_inside(const struct open *o); /* both ends are the program's */
bool address_is(const void *address, uint32_t size, const void *local, uint32_t local_size);
struct given *given_to(const void *address, uint32_t size); /* datagrams to there */
struct open *socket_at(int type, const void *address, uint32_t size, bool listening, long *error);

/* readiness.c */
short open_ready(struct open *o);
long answer_poll(const struct ask *);
long answer_watcher(const struct ask *);
long answer_watch(const struct ask *);
long answer_watched(const struct ask *);
void watches_forget(struct open *o);

/* files.c */
long answer_open(const struct ask *);
long answer_memfd(const struct ask *);
long answer_seek(const struct ask *);
long answer_truncate(const struct ask *);
long answer_allocate(const struct ask *);
long answer_sync(const struct ask *);
long answer_stat(const struct ask *);
long answer_access(const struct ask *);
long answer_readlink(const struct ask *);
long answer_list(const struct ask *);
long answer_here(const struct ask *);
long answer_change(const struct ask *);
long answer_mode(const struct ask *);
long answer_map(const struct ask *);
long answer_unmap(const struct ask *);
long answer_protect(const struct ask *);
void open_stat(struct open *o, struct stat *st);

/* model.c */
extern struct model {
	bool departed;
	uint64_t departed_points;
	int64_t departed_at; /* of the clock, without the time that was let pass */
	int64_t now;         /* the clock outside */
	bool lost;           /* descriptors came in a way that is not followed */
	bool broken_pipe;
} model;

/* The recording does not tell, and nothing else would be true: the execution ends here. */
void __attribute__((noreturn)) model_unknown(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The recording does not tell, but the answer is one that a world may give. */
void model_invents(const char *what);

#endif
