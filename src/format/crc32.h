#ifndef OMEN_CRC32_H
#define OMEN_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of zlib and PNG (reflected 0x04c11db7). Start with crc = 0; feed the result in again to go on. */
uint32_t crc32_of(uint32_t crc, const void *data, size_t size);

#endif
