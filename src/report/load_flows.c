#include "report/load_flows.h"

#include <string.h>

#include "report/module.h"
#include "abi/hooks.h"

/* Bytes of the file that stand at this address; NULL: there are not so many. */
static const void *at(const struct module *m, uint64_t address, size_t size)
{
	size_t count = 0;

	if (!m->elf || elf_getphdrnum(m->elf, &count))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(m->elf, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
		    address - p.p_vaddr > p.p_filesz || size > p.p_filesz - (address - p.p_vaddr))
			continue;
		uint64_t offset = p.p_offset + (address - p.p_vaddr);
		return offset <= m->size && size <= m->size - offset ? m->bytes + offset : NULL;
	}
	return NULL;
}

static bool find_section(const struct module *m, const char *name, GElf_Shdr *out)
{
	size_t names;

	if (!m->elf || elf_getshdrstrndx(m->elf, &names))
		return false;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(m->elf, s));) {
		const char *is = gelf_getshdr(s, out) ? elf_strptr(m->elf, names, out->sh_name) : NULL;
		if (is && !strcmp(is, name))
			return true;
	}
	return false;
}

static bool is_confined(const struct module *m, uint64_t load)
{
	const struct omen_site *site = at(m, load, sizeof *site);

	return site && site->kind == OMEN_SITE_LOAD && (site->flags & OMEN_SITE_CONFINED);
}

bool flows_only_into(const struct board_result *r, uint64_t load, uint64_t *store)
{
	uint64_t in_file, found = 0;
	const struct module *m = module_of(r, load, &in_file);
	GElf_Shdr s;

	if (!m || !is_confined(m, in_file) || !find_section(m, OMEN_FLOWS_SECTION, &s))
		return false;
	for (uint64_t i = 0; i < s.sh_size / sizeof(struct omen_flow); i++) {
		uint64_t row = s.sh_addr + i * sizeof(struct omen_flow);
		const struct omen_flow *f = at(m, row, sizeof *f);
		if (!f || row + (uint64_t)(int64_t)f->load != in_file)
			continue;
		if (found++)
			return false;
		*store = row + sizeof f->load + (uint64_t)(int64_t)f->store + (load - in_file);
	}
	return found;
}
