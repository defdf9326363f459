#include "rt/threads/sync_object.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "rt/memory/memory_check.h"
#include "rt/shadow/race_check.h"

#define MODULES 64
#define BYTES   4 /* the size of the smallest object; one cell is enough to meet an access that frees the object */

/* The code of a module, and whether its operations on synchronisation objects count. */
struct module {
	uint64_t low, high;
	bool counts, has_note;
};

static struct {
	struct module list[MODULES];
	uint32_t count;
	struct module last; /* the module of the last question */
} state;

static bool has_note(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
		while (p->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) < end) {
			const ElfW(Nhdr) *n = (const void *)at;
			at += sizeof(*n);
			if (n->n_namesz == sizeof("Omen") && !memcmp(at, "Omen", n->n_namesz))
				return true;
			at += ((n->n_namesz + 3) & ~3u) + ((n->n_descsz + 3) & ~3u);
		}
	}
	return false;
}

/* The C++ library works on an object directly for the program; it adds no order of its own. */
static bool is_cxx_library(const char *name) { return strstr(name, "/libstdc++.so") || strstr(name, "/libc++.so"); }

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t pc = *(uint64_t *)arg;
	(void)size;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || pc - low >= p->p_memsz)
			continue;
		bool own = has_note(info);
		state.last = (struct module){low, low + p->p_memsz, own || is_cxx_library(info->dlpi_name), own};
		state.list[state.count++ % MODULES] = state.last;
		return 1;
	}
	return 0;
}

static bool is_in(const struct module *m, uint64_t pc) { return pc - m->low < m->high - m->low; }

static bool counts(uint64_t pc)
{
	if (likely(is_in(&state.last, pc)))
		return state.last.counts;
	for (uint32_t i = 0; i < state.count && i < MODULES; i++)
		if (is_in(&state.list[i], pc)) {
			state.last = state.list[i];
			return state.last.counts;
		}
	omen.off |= OFF_INSIDE;
	bool found = dl_iterate_phdr(add_module, &pc);
	omen.off &= ~(uint32_t)OFF_INSIDE;
	return found && state.last.counts;
}

bool object_counts(uint64_t where) { return !omen.off && omen.current && counts(where >> 1); }

uint64_t object_size(enum object_kind kind)
{
	switch (kind) {
	case OBJECT_MUTEX:
		return sizeof(pthread_mutex_t);
	case OBJECT_RWLOCK:
		return sizeof(pthread_rwlock_t);
	case OBJECT_COND:
		return sizeof(pthread_cond_t);
	case OBJECT_BARRIER:
		return sizeof(pthread_barrier_t);
	case OBJECT_SEMAPHORE:
		return sizeof(sem_t);
	default:
		return 4;
	}
}

void object_access(enum object_kind kind, const void *object, enum object_life life, uint64_t where)
{
	uint32_t flags = life == OBJECT_LIVES ? ACCESS_ATOMIC : ACCESS_WRITE;

	if (!object_counts(where))
		return;
	shadow_object((uint64_t)object, BYTES, flags);
	if (likely(!mode_is(CHECK)))
		return;
	bool own = state.last.has_note;
	if (!memory_is_destroyed((uint64_t)object))
		memory_access(object, BYTES, flags, NULL);
	object_check_life(kind, object, life, own);
}

void object_stays(enum object_kind kind, const volatile void *object, uint64_t where)
{
	if (!object_counts(where))
		return;
	if (memory_is_destroyed((uint64_t)object))
		object_check_life(kind, (const void *)object, OBJECT_LIVES, state.last.has_note);
	else
		memory_access((const void *)object, BYTES, ACCESS_ATOMIC, NULL);
}
