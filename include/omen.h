/*
 * What a program under test may use.  The program includes this file and nothing else of Omen.  Without omen cc the
 * names mean nothing and cost nothing.
 */
#ifndef OMEN_H
#define OMEN_H

/* 1: the program is compiled with omen cc. */
#ifdef __OMEN__
#define OMEN_ACTIVE 1
#else
#define OMEN_ACTIVE 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if Omen has seen a race on one of these bytes in this execution; 0 otherwise, and always without the tool. */
#ifdef __OMEN__
int omen_raced(const volatile void *address, unsigned long size);
#else
static inline int omen_raced(const volatile void *address, unsigned long size)
{
	(void)address;
	(void)size;
	return 0;
}
#endif

/*
 * The expression is true wherever this macro stands.  Under the tool an execution in which it is false is a failure.
 * Without the tool the program evaluates the expression and ignores the result; without omen cc it does not even
 * evaluate it.
 */
#ifdef __OMEN__
void omen_invariant_failed(const char *expression, const char *file, unsigned line, const char *function);
#define OMEN_INVARIANT(expression)                                                                                     \
	((expression) ? (void)0 : omen_invariant_failed(#expression, __FILE__, __LINE__, __func__))
#else
#define OMEN_INVARIANT(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#ifdef __cplusplus
}
#endif

#endif
