/*
 * Each compilation unit is found by the address ranges that it has itself, because clang writes no .debug_aranges.
 */
#include "report/module.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/file.h"

static struct module *modules;

/* How the names of files begin whose code is not the program's own. */
static const char *const foreign[] = {"libomen.so", "libc.so",      "libc-",       "ld-linux",   "libstdc++.so",
                                      "libpthread", "libm.so",      "libgcc_s.so", "libgomp.so", "libomp.so",
                                      "libc++.so",  "libc++abi.so", "linux-vdso",  "[vdso]"};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_foreign(const char *path)
{
	for (size_t i = 0; i < COUNT(foreign); i++)
		if (!strncmp(base_name(path), foreign[i], strlen(foreign[i])))
			return true;
	return false;
}

static void find_units(struct module *m)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;

	while (!dwarf_get_units(m->dwarf, unit, &unit, NULL, &type, &die, NULL)) {
		Dwarf_Addr base, start, end;
		if (dwarf_tag(&die) != DW_TAG_compile_unit)
			continue;
		for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0; m->unit_count++) {
			m->units = must_resize(m->units, (m->unit_count + 1) * sizeof *m->units);
			m->units[m->unit_count] = (struct unit_range){start, end, die};
		}
	}
}

struct module *module_open(const char *path)
{
	struct stat st;

	for (struct module *m = modules; m; m = m->next)
		if (!strcmp(m->path, path))
			return m;
	struct module *m = must_alloc(sizeof *m);
	m->path = must_format("%s", path);
	m->own = !is_foreign(path);
	m->next = modules;
	modules = m;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return m;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
		void *map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			m->bytes = map;
			m->size = (size_t)st.st_size;
			m->built = st.st_mtim;
		}
	}
	close(fd);
	if (!m->bytes)
		return m;
	elf_version(EV_CURRENT);
	m->elf = elf_memory((char *)m->bytes, m->size);
	if (m->elf)
		m->dwarf = dwarf_begin_elf(m->elf, DWARF_C_READ, NULL);
	if (m->dwarf)
		find_units(m);
	return m;
}

struct module *module_of(const struct board_result *r, uint64_t address, uint64_t *in_file)
{
	for (uint32_t i = 0; i < r->nmodules && i < BOARD_MODULES; i++) {
		const struct board_module *b = &r->modules[i];
		char path[sizeof b->path];
		if (address < b->start || address >= b->end)
			continue;
		memcpy(path, b->path, sizeof path);
		path[sizeof path - 1] = 0;
		*in_file = address - b->base;
		return module_open(path);
	}
	return NULL;
}

const uint8_t *module_bytes(const struct module *m, uint64_t in_file, size_t *available)
{
	size_t segments = 0;
	GElf_Phdr ph;

	if (!m->elf || elf_getphdrnum(m->elf, &segments))
		return NULL;
	for (size_t i = 0; i < segments; i++) {
		if (!gelf_getphdr(m->elf, (int)i, &ph) || ph.p_type != PT_LOAD || in_file < ph.p_vaddr ||
		    in_file - ph.p_vaddr >= ph.p_filesz)
			continue;
		uint64_t within = in_file - ph.p_vaddr;
		if (ph.p_offset > m->size || ph.p_filesz > m->size - ph.p_offset)
			return NULL;
		*available = ph.p_filesz - within;
		return m->bytes + ph.p_offset + within;
	}
	return NULL;
}
