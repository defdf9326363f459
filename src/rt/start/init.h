/* The runtime's beginning, and its beginning again in the children of the program. */
#ifndef OMEN_INIT_H
#define OMEN_INIT_H

/* In the child of the program's own fork: one fiber, no board. */
void omen_in_fork_child(void);

#endif
