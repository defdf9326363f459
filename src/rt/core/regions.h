/* Where memory of the runtime's own lies that several rooms must tell from the program's. */
#ifndef OMEN_REGIONS_H
#define OMEN_REGIONS_H

/* For memory checks: a byte for every 8 of the program's memory (memory/memory_check.h). */
#define GUARD      0x6a0000000000ul
#define GUARD_SIZE (1ul << 44)

#endif
