/* The checksum of schedule files and of programs without a build id. Any room of the tool may call this. */
#ifndef OMEN_CRC32_H
#define OMEN_CRC32_H

#include <stddef.h>
#include <stdint.h>

/*
 * The CRC-32 of zlib and PNG (reflected 0x04c11db7) over `size` bytes. Start with crc = 0; to continue over more bytes,
 * pass the last result as `crc`.
 */
uint32_t crc32_of(uint32_t crc, const void *data, size_t size);

#endif
