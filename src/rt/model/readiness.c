/* What is ready: poll and epoll. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/op.h"
#include "rt/model/parts.h"

#define PATIENCE 16 /* how often time passes before an arrival that is held back comes anyway */

#define IN  (POLLIN | POLLRDNORM)
#define OUT (POLLOUT | POLLWRNORM)

static short ready_pipe(const struct open *o)
{
	short r = 0;

	if (o->in)
		r |= (short)((o->in->count ? IN : 0) | (o->in->writer ? 0 : POLLHUP));
	if (o->out)
		r |= (short)((channel_has_room(o->out) ? OUT : 0) | (o->out->reader ? 0 : POLLERR));
	return r;
}

static bool has_input(struct open *o)
{
	return open_is_internal(o) && o->in ? o->in->count : arrivals_ready(o->stream) != NULL;
}

static short ready_socket(struct open *o)
{
	bool local = o->domain == AF_UNIX, stream = o->type != SOCK_DGRAM;
	short r = o->error ? POLLERR : 0;

	if (o->listening)
		r |= (short)(o->waiting || arrivals_ready(o->stream) ? IN : 0);
	else if (o->connected || !stream)
		r |= (short)(has_input(o) ? IN : 0);
	if (o->shut & SHUT_READ)
		r |= IN | POLLRDHUP;
	if (o->shut == (SHUT_READ | SHUT_WRITE) || (stream && !o->connected && !o->listening) || o->over)
		r |= POLLHUP;
	if (o->listening)
		return r;
	bool full = open_is_internal(o) && o->out && !channel_has_room(o->out) && !(o->shut & SHUT_WRITE && !local);
	return (short)(r | (full ? 0 : OUT | (local ? POLLWRBAND : 0)));
}

short open_ready(struct open *o)
{
	switch (o->kind) {
	case KIND_OUTPUT:
		return OUT;
	case KIND_STREAM:
		return IN | OUT; /* it has something, or an end */
	case KIND_EVENTFD:
		return (short)((o->count ? POLLIN : 0) | (o->count < UINT64_MAX - 1 ? POLLOUT : 0));
	case KIND_EPOLL:
		for (struct watch *w = o->watches; w; w = w->next)
			if (!w->off && open_ready(w->open) & (short)(w->events | POLLERR | POLLHUP))
				return IN;
		return 0;
	case KIND_PIPE:
		if (open_is_internal(o))
			return ready_pipe(o);
		return (short)((arrivals_ready(o->stream) ? IN : 0) | ((o->flags & O_ACCMODE) != O_RDONLY ? OUT : 0));
	case KIND_SOCKET:
		return ready_socket(o);
	default:
		return IN | OUT;
	}
}

static long poll_now(struct pollfd *fds, uint64_t n)
{
	long ready = 0;

	for (uint64_t i = 0; i < n; i++) {
		fds[i].revents = 0;
		if (fds[i].fd < 0)
			continue;
		struct open *o = descriptor(fds[i].fd);
		fds[i].revents = o ? (short)(open_ready(o) & (fds[i].events | POLLERR | POLLHUP)) : POLLNVAL;
		ready += fds[i].revents != 0;
	}
	return ready;
}

/*
 * Nobody can go on, and `limit` is how long they would wait (NULL: for ever).  Time passes.  If only time has passed
 * for long, or nobody waits for it, something comes from outside.
 */
static void let_time_pass(const struct timespec *limit)
{
	static uint32_t waited;
	int64_t ns = limit ? limit->tv_sec * 1000000000 + limit->tv_nsec : 0;

	if (limit && ++waited < PATIENCE) {
		model.now += ns;
		return;
	}
	waited = 0;
	if (arrivals_release())
		return;
	if (!limit && (OP(STUCK) || arrivals_release_end()))
		return;
	if (!limit)
		model_unknown("it waits for something that the recording does not have");
	model.now += ns;
}

long answer_poll(const struct request *a)
{
	struct pollfd *fds = (void *)a->arg[0];
	const struct timespec *limit = a->nr == SYS_ppoll ? (const void *)a->arg[2] : NULL;

	if (a->entry)
		return 0;
	long ready = poll_now(fds, (uint64_t)a->arg[1]);
	bool waits = a->nr == SYS_ppoll && (!limit || limit->tv_sec || limit->tv_nsec);
	if (!ready && waits)
		let_time_pass(limit);
	return ready;
}

/* ---- epoll ---- */

long answer_epoll_create(const struct request *a)
{
	if (a->nr == SYS_epoll_create ? a->arg[0] <= 0 : a->arg[0] & ~(long)EPOLL_CLOEXEC)
		return -EINVAL;
	struct open *o = open_new(KIND_EPOLL, O_RDWR);
	if (a->entry)
		arrivals_next_stream();
	return descriptor_place(a, o, a->nr == SYS_epoll_create1 && (a->arg[0] & EPOLL_CLOEXEC));
}

static struct watch **find_watch(struct open *w, int fd, const struct open *o)
{
	struct watch **at = &w->watches;

	while (*at && ((*at)->fd != fd || (*at)->open != o))
		at = &(*at)->next;
	return at;
}

static void set_watch(struct watch *w, const struct epoll_event *e)
{
	w->events = e->events;
	memcpy(&w->data, &e->data, sizeof(w->data));
	w->seen_in = w->seen_out = UINT64_MAX;
	w->off = false;
}

static void remove_watch(struct watch **at)
{
	struct watch *w = *at;

	*at = w->next;
	model_free(w, sizeof(*w));
}

long answer_epoll_ctl(const struct request *a)
{
	struct open *w = descriptor(a->arg[0]), *o = descriptor(a->arg[2]);
	const struct epoll_event *e = (const void *)a->arg[3];

	if (!w || !o)
		return -EBADF;
	if (o->kind == KIND_NODE || o->kind == KIND_REAL_FILE)
		return -EPERM;
	if (w->kind != KIND_EPOLL || w == o)
		return -EINVAL;
	struct watch **at = find_watch(w, (int)a->arg[2], o);
	switch (a->arg[1]) {
	case EPOLL_CTL_ADD:
		if (*at)
			return -EEXIST;
		*at = model_alloc(sizeof(**at));
		(*at)->fd = (int)a->arg[2];
		(*at)->open = o;
		set_watch(*at, e);
		return 0;
	case EPOLL_CTL_MOD:
		if (!*at)
			return -ENOENT;
		set_watch(*at, e);
		return 0;
	case EPOLL_CTL_DEL:
		if (!*at)
			return -ENOENT;
		remove_watch(at);
		return 0;
	default:
		return -EINVAL;
	}
}

static void remove_watches_of(struct open *w, void *arg)
{
	for (struct watch **at = &w->watches; *at;)
		if ((*at)->open == arg)
			remove_watch(at);
		else
			at = &(*at)->next;
}

void watches_forget(struct open *o) { descriptors_each(remove_watches_of, o); }

/* Edges: how often the watcher was woken. */
static uint64_t news_in(struct open *o) { return o->news_in + (open_is_internal(o) ? 0 : arrivals_count(o->stream)); }

#define FOR_IN  (EPOLLIN | EPOLLRDNORM | EPOLLPRI | EPOLLRDHUP)
#define FOR_OUT (EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND)

static bool has_news(const struct watch *w)
{
	bool end = open_ready(w->open) & (POLLHUP | POLLERR | POLLRDHUP); /* reported whatever events were asked for */

	return ((w->events & FOR_IN || end) && w->seen_in != news_in(w->open)) ||
	       ((w->events & FOR_OUT || end) && w->seen_out != w->open->news_out);
}

/* The events to report; an edge is reported once. */
static uint32_t events_to_report(struct watch *w)
{
	short mask = (short)(w->events & 0xffff), ready = w->off ? 0 : open_ready(w->open);
	bool news = !(w->events & EPOLLET) || has_news(w);

	w->seen_in = news_in(w->open);
	w->seen_out = w->open->news_out;
	return news ? (uint32_t)(uint16_t)(ready & (mask | POLLERR | POLLHUP)) : 0;
}

static void mark_reported(struct watch *w)
{
	w->seen_in = news_in(w->open);
	w->seen_out = w->open->news_out;
	w->off |= (w->events & EPOLLONESHOT) != 0;
}

/* A watch that was reported moves to the end, so that each has its turn. */
static void move_to_end(struct watch **at)
{
	struct watch *w = *at, **end = at;

	while (*end)
		end = &(*end)->next;
	if (end == &w->next)
		return;
	*at = w->next;
	w->next = NULL;
	*end = w;
}

static void follow_watched(struct open *o, const struct epoll_event *e, long n)
{
	for (struct watch *w = o->watches; w; w = w->next)
		if (open_is_internal(w->open) || w->open->kind == KIND_EVENTFD)
			events_to_report(w);
	for (long i = 0; i < n; i++) {
		uint64_t data;
		memcpy(&data, &e[i].data, sizeof(data));
		for (struct watch *w = o->watches; w; w = w->next)
			if (w->data == data)
				mark_reported(w);
	}
}

long answer_epoll_wait(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	struct epoll_event *out = (void *)a->arg[1];
	long n = 0;

	if (!o)
		return -EBADF;
	if (o->kind != KIND_EPOLL || a->arg[2] <= 0)
		return -EINVAL;
	if (a->entry) {
		follow_watched(o, out, a->entry->result);
		return 0;
	}
	uint32_t count = 0;
	for (const struct watch *w = o->watches; w; w = w->next)
		count++;
	for (struct watch **at = &o->watches; count-- && *at && n < a->arg[2];) {
		struct watch *w = *at;
		uint32_t events = events_to_report(w);
		if (!events) {
			at = &w->next;
			continue;
		}
		out[n].events = events;
		memcpy(&out[n++].data, &w->data, sizeof(w->data));
		mark_reported(w);
		move_to_end(at);
		if (*at == w) /* it is the last one */
			break;
	}
	return n;
}
