/* The runtime's beginning, and its beginning again in the children of the program. */
#ifndef OMEN_INIT_H
#define OMEN_INIT_H

/* In the child of the program's own fork: one fiber, no board. */
void omen_in_fork_child(void);

/* A fiber came or went: plain accesses matter only while there are several. */
void omen_threads_changed(void);

/* Races need not be looked for any more: a quarter of what an execution costs. */
void omen_past_race(void);

/* Which accesses come to their slow hook has changed, and nothing else. */
void omen_watch(void);

#endif
