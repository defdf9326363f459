/* Text without stdio: what the runtime says, it says through these. */
#ifndef OMEN_TEXT_H
#define OMEN_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Formats %s %d %u %x %lu %lx %ld %p %c %% into buf; always terminates; returns the length. */
size_t text_format(char *buf, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t text_vformat(char *buf, size_t size, const char *format, va_list args);

/* Writes one "omen: ..." line to standard error. */
void text_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A failure of Omen itself: names itself as Omen's and ends the process with status 1. */
void text_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Asked of rt/ending: Omen itself failed, and the board is to say so. */
void ending_omen_failed(const char *format, va_list args);

#endif
