/* Regions of the runtime's own memory that several rooms must distinguish from the program's.  Every room may use it.
 */
#ifndef OMEN_REGIONS_H
#define OMEN_REGIONS_H

/* Of memory checks: one byte for every 8 bytes of the program's memory (memory/memory_check.h). */
#define MEMORY_STATES      0x6a0000000000ul
#define MEMORY_STATES_SIZE (1ul << 44)

#endif
