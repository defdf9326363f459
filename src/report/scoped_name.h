/* The name of a function or variable together with the namespaces and classes around it, from the debug information. */
#ifndef OMEN_SCOPED_NAME_H
#define OMEN_SCOPED_NAME_H

#include <elfutils/libdw.h>
#include <stddef.h>

/* "cache::put": the name of the declaration that a concrete function, an inlined one or a variable belongs to. */
void scoped_name(const Dwarf_Die *concrete, char *out, size_t size);

#endif
