// flags: -D_GNU_SOURCE
/* The rarer calls that write memory: many messages at once, System V queues, semaphores and memory, POSIX queues. */
#include <fcntl.h>
#include <linux/openat2.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MESSAGES = 5 };

static void *send_later(void *fd)
{
	for (int i = 0; i < MESSAGES; i++) {
		usleep(1000);
		if (send((int)(long)fd, "later", 5, 0) != 5)
			return NULL;
	}
	return fd;
}

static void messages(void)
{
	struct mmsghdr out[MESSAGES] = {0}, in[MESSAGES] = {0};
	struct iovec from[MESSAGES], to[MESSAGES];
	char text[MESSAGES][20], got[MESSAGES][20] = {{0}}, name[MESSAGES][110], short_one[4] = "";
	pthread_t thread;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return;
	for (int i = 0; i < MESSAGES; i++) {
		from[i] = (struct iovec){text[i], (size_t)snprintf(text[i], sizeof text[i], "message %*d", i + 1, rand() % 1000)};
		to[i] = (struct iovec){got[i], sizeof got[i]};
		out[i].msg_hdr = (struct msghdr){.msg_iov = &from[i], .msg_iovlen = 1};
		in[i].msg_hdr = (struct msghdr){.msg_iov = &to[i], .msg_iovlen = 1, .msg_name = name[i], .msg_namelen = sizeof name[i]};
	}
	printf("sent %d:", sendmmsg(pair[0], out, MESSAGES, 0));
	for (int i = 0; i < MESSAGES; i++)
		printf(" %u", out[i].msg_len);
	printf(", received %d:", recvmmsg(pair[1], in, MESSAGES, 0, NULL));
	for (int i = 0; i < MESSAGES; i++)
		printf(" %u %s %u,", in[i].msg_len, got[i], in[i].msg_hdr.msg_namelen);
	/* they arrive one after the other, and other threads must run meanwhile */
	pthread_create(&thread, NULL, send_later, (void *)(long)pair[0]);
	printf(" %d later", recvmmsg(pair[1], in, MESSAGES, 0, NULL));
	pthread_join(thread, NULL);
	/* the kernel returns the full length, but writes only what fits */
	if (send(pair[0], "too long", 8, 0) == 8)
		printf(" %zd %.4s\n", recv(pair[1], short_one, sizeof short_one, MSG_TRUNC), short_one);
}

static void system_v(void)
{
	struct {
		long type;
		char text[30];
	} out = {7, ""}, in = {0};
	int queue = msgget(IPC_PRIVATE, 0600), set = semget(IPC_PRIVATE, 3, 0600), memory = shmget(IPC_PRIVATE, 5000, 0600);
	unsigned short values[3] = {4, 5, 6}, back[3] = {0};
	struct msqid_ds status;
	char *at = shmat(memory, NULL, 0), *again;

	snprintf(out.text, sizeof out.text, "queue %d", queue);
	msgsnd(queue, &out, sizeof out.text, 0);
	msgctl(queue, IPC_STAT, &status);
	printf("%lu in the queue, ", (unsigned long)status.msg_qnum);
	printf("%zd: %ld %s\n", msgrcv(queue, &in, sizeof in.text, 0, 0), in.type, in.text);
	semctl(set, 0, SETALL, values);
	semop(set, &(struct sembuf){1, -2, 0}, 1);
	semctl(set, 0, GETALL, back);
	printf("semaphores %d %d %d, the last alone %d\n", back[0], back[1], back[2], semctl(set, 2, GETVAL));
	snprintf(at, 5000, "segment %d", memory);
	again = shmat(memory, NULL, SHM_RDONLY);
	printf("%s, %d\n", at, memcmp(at, again, 5000));
	shmdt(at);
	shmdt(again);
	again = shmat(memory, NULL, 0);
	printf("attached once more: %s\n", again);
	msgctl(queue, IPC_RMID, NULL);
	semctl(set, 0, IPC_RMID);
	shmctl(memory, IPC_RMID, NULL);
}

static void posix_queue(void)
{
	struct mq_attr attr = {.mq_maxmsg = 4, .mq_msgsize = 50}, now;
	char name[40], text[50] = "";
	unsigned priority = 0;

	snprintf(name, sizeof name, "/omen-%d", rand());
	mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
	if (queue < 0)
		return;
	mq_unlink(name);
	mq_send(queue, "first", 6, 3);
	mq_send(queue, "second", 7, 9);
	mq_getattr(queue, &now);
	ssize_t n = mq_receive(queue, text, sizeof text, &priority);
	printf("%ld of %ld in the POSIX queue, %zd: %s with %u\n", now.mq_curmsgs, now.mq_maxmsg, n, text, priority);
	mq_close(queue);
}

static void files(void)
{
	struct open_how how = {.flags = O_RDONLY};
	char text[10] = "", entries[4096], value[20] = "", names[100] = "";
	unsigned char pages[2];
	int pair[2], fd = (int)syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", &how, sizeof how), left = 0;

	printf("%zd %s\n", read(fd, text, 9), text);
	/* the number of a file that is read again becomes that of a pipe */
	close_range((unsigned)fd, ~0u, 0);
	if (pipe(pair) || pair[0] != fd || write(pair[1], "through", 8) != 8 || ioctl(fd, FIONREAD, &left))
		return;
	printf("%d bytes left: %zd %s\n", left, read(fd, text, sizeof text), text);
	int directory = open("/etc", O_RDONLY | O_DIRECTORY);
	printf("%d in /etc\n", syscall(SYS_getdents, directory, entries, sizeof entries) > 0);
	fd = open("made", O_RDWR | O_CREAT, 0600);
	if (!fsetxattr(fd, "user.omen", "an attribute", 13, 0)) {
		printf("needs %zd, ", fgetxattr(fd, "user.omen", value, 0));
		printf("%zd %s, ", fgetxattr(fd, "user.omen", value, sizeof value), value);
		printf("%zd %s\n", flistxattr(fd, names, sizeof names), names);
	}
	struct flock lock = {.l_type = F_WRLCK, .l_len = 10};
	printf("lock: %d %d\n", fcntl(fd, F_GETLK, &lock), lock.l_type);
	void *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*(char *)map = 1;
	printf("resident: %d %d\n", mincore(map, 8192, pages), pages[0] & 1);
}

int main(void)
{
	messages();
	system_v();
	posix_queue();
	files();
	return 0;
}
