/* Who is ready: poll and epoll. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "rt/arena.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/direct.h"
#include "rt/env/model/parts.h"

#define PATIENCE 16 /* so often time passes before what was held back comes anyway */

static short ready_channels(const struct open *o)
{
	short r = 0;

	if (o->in && (o->in->used || !o->in->writers))
		r |= POLLIN;
	if (o->in && !o->in->writers)
		r |= o->kind == KIND_PIPE ? POLLHUP : POLLRDHUP;
	if (o->in && o->kind == KIND_PIPE && !o->in->used)
		r &= ~POLLIN;
	if (o->out && (channel_has_room(o->out) || !o->out->readers))
		r |= POLLOUT;
	if (o->out && !o->out->readers)
		r |= o->kind == KIND_PIPE ? POLLERR : POLLHUP;
	return r;
}

short open_ready(struct open *o)
{
	switch (o->kind) {
	case KIND_OUTPUT:
		return POLLOUT;
	case KIND_STREAM:
		return POLLIN | POLLOUT; /* it has something, or an end */
	case KIND_COUNTER:
		return (short)((o->count ? POLLIN : 0) | POLLOUT);
	case KIND_WATCHER:
		for (struct watch *w = o->watches; w; w = w->next)
			if (!w->off && open_ready(w->open) & (short)(w->events | POLLERR | POLLHUP))
				return POLLIN;
		return 0;
	case KIND_PIPE:
	case KIND_SOCKET:
		if (o->listening)
			return o->waiting || arrivals_here(o->stream) ? POLLIN : 0;
		if ((o->in || o->out) && !o->exposed)
			return ready_channels(o);
		if (o->kind == KIND_SOCKET && o->type == SOCK_STREAM && !o->connected)
			return POLLOUT | POLLHUP;
		return (short)((arrivals_here(o->stream) || o->ended ? POLLIN : 0) |
		               ((o->flags & O_ACCMODE) != O_RDONLY ? POLLOUT : 0));
	default:
		return POLLIN | POLLOUT;
	}
}

static long look(struct pollfd *fds, uint64_t n)
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
 * Nobody can go on, and this is how long they would wait. Time passes; but if it only passes, or nobody waits for it,
 * something comes from outside.
 */
static void idle(const struct timespec *limit)
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
	if (!limit && direct_give_up(PLAN_BLOCKED))
		return;
	if (!limit)
		model_unknown("it waits for something that the recording does not have");
	model.now += ns;
}

long answer_poll(const struct ask *a)
{
	struct pollfd *fds = (void *)a->arg[0];
	const struct timespec *limit = a->nr == SYS_ppoll ? (const void *)a->arg[2] : NULL;

	if (a->entry)
		return 0;
	long ready = look(fds, (uint64_t)a->arg[1]);
	bool waits = a->nr == SYS_ppoll && (!limit || limit->tv_sec || limit->tv_nsec);
	if (!ready && waits)
		idle(limit);
	return ready;
}

/* ---- epoll ---- */

long answer_watcher(const struct ask *a)
{
	struct open *o = open_new(KIND_WATCHER, O_RDWR);

	if (a->entry)
		arrivals_born();
	return descriptor_place(a, o, a->nr == SYS_epoll_create1 && (a->arg[0] & EPOLL_CLOEXEC));
}

static struct watch **find(struct open *w, int fd, const struct open *o)
{
	struct watch **at = &w->watches;

	while (*at && ((*at)->fd != fd || (*at)->open != o))
		at = &(*at)->next;
	return at;
}

static void set(struct watch *w, const struct epoll_event *e)
{
	w->events = e->events;
	memcpy(&w->data, &e->data, sizeof(w->data));
	w->seen_in = w->seen_out = UINT64_MAX;
	w->off = false;
}

long answer_watch(const struct ask *a)
{
	struct open *w = descriptor(a->arg[0]), *o = descriptor(a->arg[2]);
	const struct epoll_event *e = (const void *)a->arg[3];

	if (!w || !o)
		return -EBADF;
	if (w->kind != KIND_WATCHER || w == o)
		return -EINVAL;
	if (o->kind == KIND_NODE || o->kind == KIND_LOWER)
		return -EPERM;
	struct watch **at = find(w, (int)a->arg[2], o);
	switch (a->arg[1]) {
	case EPOLL_CTL_ADD:
		if (*at)
			return -EEXIST;
		*at = arena_alloc(sizeof(**at));
		(*at)->fd = (int)a->arg[2];
		(*at)->open = o;
		set(*at, e);
		return 0;
	case EPOLL_CTL_MOD:
		if (!*at)
			return -ENOENT;
		set(*at, e);
		return 0;
	case EPOLL_CTL_DEL:
		if (!*at)
			return -ENOENT;
		*at = (*at)->next;
		return 0;
	default:
		return -EINVAL;
	}
}

static void forget_in(struct open *w, void *arg)
{
	for (struct watch **at = &w->watches; *at;)
		if ((*at)->open == arg)
			*at = (*at)->next;
		else
			at = &(*at)->next;
}

/* The last descriptor of it was closed. */
void watches_forget(struct open *o) { descriptors_each(forget_in, o); }

/* Edges: what has changed since it was last told. */
static uint64_t news_in(struct open *o)
{
	if (o->kind == KIND_COUNTER)
		return o->count_changes;
	if (o->in && !o->exposed)
		return o->in->put + !o->in->writers;
	uint64_t waiting = 0;
	for (const struct open *c = o->waiting; c; c = c->next_waiting)
		waiting++;
	return arrivals_count(o->stream) + waiting;
}

static uint64_t news_out(const struct open *o) { return o->out && !o->exposed ? o->out->got + !o->out->readers : 0; }

static uint32_t to_tell(struct watch *w)
{
	short mask = (short)(w->events & 0xffff), ready = w->off ? 0 : open_ready(w->open);

	ready &= (short)(mask | POLLERR | POLLHUP);
	if (!(w->events & EPOLLET))
		return (uint32_t)ready;
	if (w->seen_in == news_in(w->open) && w->seen_out == news_out(w->open))
		return 0;
	return (uint32_t)ready;
}

static void told(struct watch *w)
{
	w->seen_in = news_in(w->open);
	w->seen_out = news_out(w->open);
	w->off |= (w->events & EPOLLONESHOT) != 0;
}

/* Who was told goes to the end, so that all have their turn. */
static void to_end(struct open *o, struct watch **at)
{
	struct watch *w = *at, **end = at;

	while (*end)
		end = &(*end)->next;
	if (end == &w->next)
		return;
	*at = w->next;
	w->next = NULL;
	*end = w;
	(void)o;
}

static void follow_watched(struct open *o, const struct epoll_event *e, long n)
{
	for (long i = 0; i < n; i++) {
		uint64_t data;
		memcpy(&data, &e[i].data, sizeof(data));
		for (struct watch *w = o->watches; w; w = w->next)
			if (w->data == data)
				told(w);
	}
}

long answer_watched(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	struct epoll_event *out = (void *)a->arg[1];
	long n = 0;

	if (!o)
		return -EBADF;
	if (o->kind != KIND_WATCHER)
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
		uint32_t events = to_tell(w);
		if (!events) {
			at = &w->next;
			continue;
		}
		out[n].events = events;
		memcpy(&out[n++].data, &w->data, sizeof(w->data));
		told(w);
		to_end(o, at);
		if (*at == w) /* it was the last one */
			break;
	}
	return n;
}
