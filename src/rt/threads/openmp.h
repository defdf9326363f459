/* OpenMP: libomp tells the order of its threads and tasks. */
#ifndef OMEN_OPENMP_H
#define OMEN_OPENMP_H

typedef void (*entry)(void);

/* The next function of that name behind libomen's: libomp's, or the C library's. */
entry openmp_next(const char *name);

/* libomp has called sched_yield. */
void openmp_yields(const void *code);

#endif
