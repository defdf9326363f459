#include "report/load_flows.h"

#include <string.h>

#include "report/module.h"
#include "abi/hooks.h"

/* At least `size` bytes that the file has for this address, or NULL. */
static const void *bytes_at(const struct module *m, uint64_t address, size_t size)
{
	size_t available;
	const uint8_t *bytes = module_bytes(m, address, &available);

	return bytes && available >= size ? bytes : NULL;
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

/* Whether the compiler says of the load that its value goes only into stores. */
static bool is_confined(const struct module *m, uint64_t load)
{
	const struct omen_site *site = bytes_at(m, load, sizeof *site);

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
		const struct omen_flow *f = bytes_at(m, row, sizeof *f);
		if (!f || row + (uint64_t)(int64_t)f->load != in_file)
			continue;
		if (found++)
			return false;
		*store = row + sizeof f->load + (uint64_t)(int64_t)f->store + (load - in_file);
	}
	return found;
}
