/*
 * An event loop and its pool of threads: jobs that compute, files written and read by the pool, a thread of its own that
 * wakes the loop, and an echo over loopback.  What it prints does not depend on the schedule.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { JOBS = 24, FILES = 4, WAKES = 20, ECHOES = 10 };

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "libuv_pool: %s: %s\n", what, uv_strerror(result));
	exit(1);
}

/* --- jobs: each computes into its own place and, under a lock, into a common one ------------------------------------ */

struct job {
	uv_work_t work;
	unsigned from, sum;
};

static struct job jobs[JOBS];
static uv_mutex_t mutex;
static unsigned long total;
static int jobs_done;

static void compute(uv_work_t *work)
{
	struct job *job = work->data;

	for (unsigned i = 0; i < 200; i++)
		job->sum += (job->from * 31 + i) * (i + 1) % 1009;
	uv_mutex_lock(&mutex);
	total += job->sum;
	uv_mutex_unlock(&mutex);
}

static void computed(uv_work_t *work, int status)
{
	(void)work;
	must(status, "job");
	jobs_done++;
}

/*
 * --- files: made, written, read again and removed by the pool ---------------------------------------------------------
 * Their names are new in each execution: others may run beside it.
 */

struct file {
	uv_fs_t request;
	char name[32], text[64], back[64];
	int step, descriptor;
	uv_buf_t buffer;
};

static struct file files[FILES];
static int files_done;

static void next_step(uv_fs_t *request)
{
	struct file *f = request->data;
	int result = (int)request->result;

	must(result, "file");
	if (f->step == 0)
		snprintf(f->name, sizeof f->name, "%s", request->path);
	uv_fs_req_cleanup(request);
	request->data = f;
	switch (f->step++) {
	case 0:
		f->descriptor = result;
		f->buffer = uv_buf_init(f->text, (unsigned)strlen(f->text));
		must(uv_fs_write(request->loop, request, f->descriptor, &f->buffer, 1, 0, next_step), "write");
		break;
	case 1:
		f->buffer = uv_buf_init(f->back, sizeof f->back - 1);
		must(uv_fs_read(request->loop, request, f->descriptor, &f->buffer, 1, 0, next_step), "read");
		break;
	case 2:
		must(uv_fs_close(request->loop, request, f->descriptor, next_step), "close");
		break;
	case 3:
		must(uv_fs_unlink(request->loop, request, f->name, next_step), "unlink");
		break;
	default:
		files_done += strcmp(f->text, f->back) == 0;
	}
}

/* --- a thread that wakes the loop ------------------------------------------------------------------------------------ */

static uv_async_t async;
static uv_sem_t heard;
static int wakes;

static void woken(uv_async_t *handle)
{
	if (++wakes == WAKES)
		uv_close((uv_handle_t *)handle, NULL);
	uv_sem_post(&heard);
}

static void wake(void *unused)
{
	(void)unused;
	for (int i = 0; i < WAKES; i++) {
		must(uv_async_send(&async), "wake");
		uv_sem_wait(&heard);
	}
}

/* --- an echo over loopback ------------------------------------------------------------------------------------------- */

static uv_tcp_t server, served, client;
static uv_connect_t connecting;
static uv_write_t asking, answering;
static char answer[64];
static int echoes;

static void room(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
	static char at_server[64], at_client[64];

	(void)size;
	*buffer = uv_buf_init(handle == (uv_handle_t *)&served ? at_server : at_client, 64);
}

static void ask(void)
{
	uv_buf_t buffer = uv_buf_init("ping", 4);

	must(uv_write(&asking, (uv_stream_t *)&client, &buffer, 1, NULL), "ask");
}

static void asked(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer)
{
	uv_buf_t back;

	if (length < 0) {
		uv_close((uv_handle_t *)stream, NULL);
		uv_close((uv_handle_t *)&server, NULL);
		return;
	}
	memcpy(answer, buffer->base, (size_t)length);
	back = uv_buf_init(answer, (unsigned)length);
	must(uv_write(&answering, stream, &back, 1, NULL), "answer");
}

static void answered(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer)
{
	must((int)length, "answer");
	if (length != 4 || memcmp(buffer->base, "ping", 4) != 0)
		exit(1);
	if (++echoes < ECHOES)
		ask();
	else
		uv_close((uv_handle_t *)stream, NULL);
}

static void connected(uv_connect_t *request, int status)
{
	must(status, "connect");
	must(uv_read_start(request->handle, room, answered), "read");
	ask();
}

static void come(uv_stream_t *stream, int status)
{
	must(status, "listen");
	must(uv_tcp_init(stream->loop, &served), "connection");
	must(uv_accept(stream, (uv_stream_t *)&served), "accept");
	must(uv_read_start((uv_stream_t *)&served, room, asked), "read");
}

int main(void)
{
	uv_loop_t *loop = uv_default_loop();
	struct sockaddr_in address;
	int length = sizeof address;
	uv_thread_t waker;

	must(uv_mutex_init(&mutex), "mutex");
	must(uv_sem_init(&heard, 0), "semaphore");
	must(uv_async_init(loop, &async, woken), "async");
	must(uv_thread_create(&waker, wake, NULL), "thread");
	for (unsigned i = 0; i < JOBS; i++) {
		jobs[i].work.data = &jobs[i];
		jobs[i].from = i;
		must(uv_queue_work(loop, &jobs[i].work, compute, computed), "job");
	}
	for (int i = 0; i < FILES; i++) {
		struct file *f = &files[i];
		snprintf(f->text, sizeof f->text, "what the pool writes to file %d", i);
		f->request.data = f;
		must(uv_fs_mkstemp(loop, &f->request, "pool-XXXXXX", next_step), "mkstemp");
	}
	must(uv_ip4_addr("127.0.0.1", 0, &address), "address");
	must(uv_tcp_init(loop, &server), "server");
	must(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), "bind");
	must(uv_listen((uv_stream_t *)&server, 4, come), "listen");
	must(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length), "name");
	must(uv_tcp_init(loop, &client), "client");
	must(uv_tcp_connect(&connecting, &client, (struct sockaddr *)&address, connected), "connect");
	must(uv_run(loop, UV_RUN_DEFAULT), "loop");
	must(uv_thread_join(&waker), "join");
	printf("%d jobs, %lu; %d files; %d wakes; %d echoes\n", jobs_done, total, files_done, wakes, echoes);
	must(uv_loop_close(loop), "close");
	return 0;
}
