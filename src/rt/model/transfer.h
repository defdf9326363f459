/*
 * Reading from an open file and writing to one, whatever it is: what transfer.c does for messages.c and copying.c.
 */
#ifndef OMEN_TRANSFER_H
#define OMEN_TRANSFER_H

#include "rt/model/parts.h"

/* The buffers of a call: one, or those of a vector. */
struct vector {
	struct iovec one;
	const struct iovec *iov;
	size_t n;
	uint64_t size;
};

struct vector vector_of(void *base, uint64_t size);
struct vector vector_from(const struct iovec *iov, size_t n);
const struct iovec *vector_iov(const struct vector *v);

bool open_has_positions(const struct open *o);

/* `at`: where in the file, or -1 for the position of the open file. */
long open_read(struct open *o, const struct vector *v, int64_t at);
/* `whole`: the size of the packet, if it is one of the program's own. */
long open_read_socket(struct open *o, const struct vector *v, bool peek, uint64_t *whole);
long open_write(struct open *o, const struct vector *v, int64_t at, uint64_t most);
long open_write_pipe(struct open *o, const struct vector *v);
/* `quiet`: without SIGPIPE. */
long open_write_socket(struct open *o, const struct vector *v, bool quiet);

/* The recording has done this, with this result. */
void open_follow_read(struct open *o, const struct vector *v, int64_t at, long result);
void open_follow_receive(struct open *o, const struct vector *v, bool peek, long result);
void open_follow_write(struct open *o, const struct vector *v, int64_t at, long result);

/* So many bytes were written to it: they are output if they leave the program. */
void transfer_note_output(struct open *o, const struct vector *v, long bytes);

#endif
