/*
 * A small tracing library for programs with threads, of the kind that Portend's authors found fifteen races in (ctrace).
 * It is made to be racy in their ways: what is only read "for a moment" takes no lock.
 */
#ifndef TRACE_H
#define TRACE_H

enum trace_level { TRACE_DEBUG, TRACE_INFO, TRACE_WARN, TRACE_ERROR };
enum { TRACE_UNITS = 8, TRACE_RING = 16, TRACE_THREADS = 8, TRACE_TEXT = 96 };

void trace_start(const char *path); /* NULL: standard output */
void trace_end(void);               /* by whoever is the last to need it; may come twice */

void trace_thread(const char *name); /* the calling thread gets a name */
void trace_set_level(int unit, enum trace_level level);
void trace_switch(int on);
void trace_redirect(const char *path); /* further messages go there */

void trace(int unit, enum trace_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
void trace_flush(void);      /* what is kept in the ring is written */
void trace_statistics(void); /* a summary, as a message */

#endif
