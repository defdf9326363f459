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

#ifdef __cplusplus
}
#endif

#endif
