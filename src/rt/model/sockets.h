/* What the files about sockets share: new_descriptors.c, socket_names.c, connections.c, sockets.c. */
#ifndef OMEN_SOCKETS_H
#define OMEN_SOCKETS_H

#include "rt/model/parts.h"

#define LABEL_SIZE 140

static inline bool socket_is_inet(const struct open *o) { return o->domain != AF_UNIX; }

/* new_descriptors.c */
struct open *socket_new(int domain, long type);
void socket_connect_two(struct open *one, struct open *other);

/* socket_names.c */
void address_set(uint8_t to[128], uint32_t *size, const void *from, uint32_t n);
uint16_t address_port(const void *address);
void socket_choose_port(struct open *o);
void label_address(char label[LABEL_SIZE], const void *address, uint32_t size);
void label_own_address(char label[LABEL_SIZE], const struct open *o);

/* connections.c */
long socket_take_error(struct open *o);
void socket_reset(struct open *o);

#endif
