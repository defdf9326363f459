/*
 * Text without stdio: all messages of the runtime go through these functions.  Every room of the runtime may call them.
 */
#ifndef OMEN_TEXT_H
#define OMEN_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Formats %s %d %u %x %lu %lx %ld %p %c %% into buf.  Always terminates the text; returns its length. */
size_t text_format(char *buf, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t text_vformat(char *buf, size_t size, const char *format, va_list args);

/* Writes one "omen: ..." line to standard error. */
void text_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports a failure of Omen itself and ends the process with status 1. */
void text_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Defined by rt/ending: notes on the board that Omen itself has failed. */
void ending_omen_failed(const char *format, va_list args);

#endif
