/* OpenMP: libomp reports the order of its threads and tasks.  For the files of this room only. */
#ifndef OMEN_OPENMP_H
#define OMEN_OPENMP_H

typedef void (*entry)(void);

/* The next function with that name after libomen's own: libomp's or the C library's. */
entry openmp_next(const char *name);

/* libomp has called sched_yield. */
void openmp_yields(const void *code);

#endif
