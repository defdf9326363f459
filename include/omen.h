/*
 * What a program under test may use.  Without Omen every line of it means nothing and costs nothing.
 */
#ifndef OMEN_H
#define OMEN_H

/* The program was compiled with omen cc. */
#ifdef __OMEN__
#define OMEN_ACTIVE 1
#else
#define OMEN_ACTIVE 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Has a race been seen in this execution on one of the bytes?  Never without the tool. */
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
 * What holds wherever this stands.  Under the tool an execution in which it does not is a failure; otherwise the
 * expression is looked at and nothing follows (without omen cc it is not even that).
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
