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

#endif
