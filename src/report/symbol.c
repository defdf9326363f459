/*
 * Without DWARF the symbol table still names the function, and module+offset is always there.
 */
#include "report/symbol.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "abi/hooks.h"
#include "format/file.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/*
 * The names of a mangled symbol, "a::b" of _ZN1a1bEi; arguments and templates are dropped. The whole of the C++ ABI is
 * not worth a dependency: DWARF has the names in clear, this is for programs without it and for variables.
 */
static void demangle(const char *name, char *out, size_t size)
{
	const char *p = name;
	size_t used = 0;

	snprintf(out, size, "%s", name);
	if (strncmp(p, "_Z", 2))
		return;
	p += 2;
	bool nested = *p == 'N';
	p += nested;
	while (*p == 'L' || *p == 'K')
		p++;
	if (!strncmp(p, "St", 2)) {
		used = (size_t)snprintf(out, size, "std");
		p += 2;
	}
	while (isdigit((unsigned char)*p)) {
		size_t length = strtoul(p, (char **)&p, 10);
		if (length > strlen(p) || used + length + 3 > size)
			break;
		used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? "::" : "", (int)length, p);
		p += length;
		if (!nested)
			break;
	}
}

/* The symbol that holds an address; functions and data stand in the same table. */
static bool find_symbol(const struct module *m, uint64_t in_file, bool data, char *out, size_t size, uint64_t *offset)
{
	GElf_Shdr header;
	GElf_Sym symbol, best = {0};
	const char *best_name = NULL;

	if (!m->elf)
		return false;
	for (Elf_Scn *s = elf_nextscn(m->elf, NULL); s; s = elf_nextscn(m->elf, s)) {
		if (!gelf_getshdr(s, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		Elf_Data *table = elf_getdata(s, NULL);
		for (int i = 0; table && gelf_getsym(table, i, &symbol); i++) {
			int type = GELF_ST_TYPE(symbol.st_info);
			bool wanted = data ? type == STT_OBJECT : type == STT_FUNC || type == STT_GNU_IFUNC;
			if (!wanted || symbol.st_shndx == SHN_UNDEF || symbol.st_value > in_file)
				continue;
			/* Functions of assembly have no size: they reach to the next one. */
			if (in_file - symbol.st_value >= symbol.st_size && (data || symbol.st_size))
				continue;
			const char *name = elf_strptr(m->elf, header.sh_link, symbol.st_name);
			if (!name || !*name || (best_name && symbol.st_value <= best.st_value))
				continue;
			best = symbol;
			best_name = name;
		}
	}
	if (!best_name)
		return false;
	demangle(best_name, out, size);
	*offset = in_file - best.st_value;
	return true;
}

static bool follow(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Die target;

	if (!dwarf_attr(die, attribute, &a) || !dwarf_formref_die(&a, &target))
		return false;
	*die = target;
	return true;
}

void symbol_scoped_name(const Dwarf_Die *concrete, char *out, size_t size)
{
	Dwarf_Die *scopes = NULL, die = *concrete;
	size_t used = 0;

	while (follow(&die, DW_AT_abstract_origin) || follow(&die, DW_AT_specification))
		;
	const char *name = dwarf_diename(&die);
	int count = dwarf_getscopes_die(&die, &scopes);
	out[0] = 0;
	for (int i = count - 1; i > 0; i--) {
		int tag = dwarf_tag(&scopes[i]);
		const char *outer = dwarf_diename(&scopes[i]);
		if (tag != DW_TAG_namespace && tag != DW_TAG_class_type && tag != DW_TAG_structure_type)
			continue;
		int n = snprintf(out + used, size - used, "%s::", outer ? outer : "(anonymous)");
		used = used + (size_t)n < size ? used + (size_t)n : size - 1;
	}
	snprintf(out + used, size - used, "%s", name ? name : "");
	free(scopes);
}

/* "/usr/lib/gcc/../../include/x" is "/usr/include/x", where that is so. */
static void plain_name(char *name, size_t size)
{
	char *plain = strstr(name, "/../") ? realpath(name, NULL) : NULL;

	if (plain && strlen(plain) < size)
		strcpy(name, plain);
	free(plain);
}

/* As the compiler was told: without the directory it ran in. */
static void source_name(Dwarf_Die *unit, const char *path, char *out, size_t size)
{
	Dwarf_Attribute a;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	size_t length = directory ? strlen(directory) : 0;

	if (length && !strncmp(path, directory, length) && path[length] == '/')
		path += length + 1;
	while (!strncmp(path, "./", 2))
		path += 2;
	snprintf(out, size, "%s", path);
	plain_name(out, size);
}

static bool is_system_source(const char *file) { return !strncmp(file, "/usr/", 5); }

static unsigned take_unsigned(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, attribute, &a), &value) ? 0 : (unsigned)value;
}

static Dwarf_Die *find_unit(const struct module *m, uint64_t in_file)
{
	for (size_t i = 0; i < m->unit_count; i++)
		if (in_file >= m->units[i].start && in_file < m->units[i].end)
			return &m->units[i].unit;
	return NULL;
}

#define SCOPES 64

/*
 * The function that holds an address. Not dwarf_getscopes(): it does not look into namespaces, which have no addresses
 * of their own, and clang puts functions there.
 */
static bool find_function(Dwarf_Die *parent, uint64_t in_file, Dwarf_Die *out)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_namespace && find_function(&die, in_file, out))
			return true;
		if (tag == DW_TAG_subprogram && dwarf_haspc(&die, in_file) > 0) {
			*out = die;
			return true;
		}
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* From the function in scopes[0] inwards: blocks and inlined calls around the address. Returns how many there are. */
static size_t find_inlined(Dwarf_Die *scopes, uint64_t in_file)
{
	size_t n = 1;
	Dwarf_Die die;

	while (n < SCOPES && !dwarf_child(&scopes[n - 1], &die)) {
		bool found = false;
		do {
			int tag = dwarf_tag(&die);
			found = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
			        dwarf_haspc(&die, in_file) > 0;
		} while (!found && !dwarf_siblingof(&die, &die));
		if (!found)
			break;
		scopes[n++] = die;
	}
	return n;
}

/* The functions around an address, from the innermost inlined call outwards. 0 if DWARF does not know. */
static size_t dwarf_frames(const struct module *m, uint64_t in_file, const struct frame *known, struct frame *out,
                           size_t max)
{
	Dwarf_Die *unit = find_unit(m, in_file), scopes[SCOPES];
	size_t n = 0;
	int line_number = 0, column = 0;

	if (!unit)
		return 0;
	Dwarf_Line *line = dwarf_getsrc_die(unit, in_file);
	const char *source = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (line) {
		dwarf_lineno(line, &line_number);
		dwarf_linecol(line, &column);
	}
	size_t count = find_function(unit, in_file, &scopes[0]) ? find_inlined(scopes, in_file) : 0;
	Dwarf_Files *files = NULL;
	size_t file_count = 0;
	dwarf_getsrcfiles(unit, &files, &file_count);
	for (size_t i = count; i-- && n < max;) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		struct frame *f = &out[n++];
		*f = *known;
		symbol_scoped_name(&scopes[i], f->function, sizeof f->function);
		if (source)
			source_name(unit, source, f->file, sizeof f->file);
		f->line = (unsigned)line_number;
		f->column = (unsigned)column;
		f->own = known->own && !(source && is_system_source(source));
		if (tag == DW_TAG_subprogram)
			break;
		source = dwarf_filesrc(files, take_unsigned(&scopes[i], DW_AT_call_file), NULL, NULL);
		line_number = (int)take_unsigned(&scopes[i], DW_AT_call_line);
		column = (int)take_unsigned(&scopes[i], DW_AT_call_column);
	}
	return n;
}

/* Addresses that were asked for: thousands of races share few of them, and DWARF answers slowly. */
struct known_code {
	const struct module *module;
	uint64_t in_file;
	struct frame *frames;
	size_t count;
	struct known_code *next;
};

#define KNOWN_BUCKETS 4096
#define KNOWN_FRAMES  32

static struct known_code *known_code[KNOWN_BUCKETS];

static const struct known_code *learn_code(const struct module *m, uint64_t in_file)
{
	struct known_code **bucket = &known_code[in_file % KNOWN_BUCKETS];
	struct frame frames[KNOWN_FRAMES], known = {.offset = in_file, .own = m->own};
	uint64_t offset;

	for (const struct known_code *k = *bucket; k; k = k->next)
		if (k->in_file == in_file && k->module == m)
			return k;
	snprintf(known.module, sizeof known.module, "%s", base_name(m->path));
	size_t n = dwarf_frames(m, in_file, &known, frames, KNOWN_FRAMES);
	if (!n) {
		find_symbol(m, in_file, false, known.function, sizeof known.function, &offset);
		frames[n++] = known;
	}
	struct known_code *k = must_alloc(sizeof *k);
	*k = (struct known_code){m, in_file, must_alloc(n * sizeof *frames), n, *bucket};
	memcpy(k->frames, frames, n * sizeof *frames);
	return *bucket = k;
}

size_t symbol_code(const struct board_result *r, uint64_t address, struct frame *out, size_t max)
{
	uint64_t in_file;
	const struct module *m = module_of(r, address, &in_file);
	const struct known_code *k = m ? learn_code(m, in_file) : NULL;
	size_t n = k && k->count < max ? k->count : max;

	if (!k) {
		out[0] = (struct frame){.address = address};
		return 1;
	}
	memcpy(out, k->frames, n * sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i].address = address;
	return n;
}

/* The bytes of a module at an address of its file, and how many follow them in the same segment. */
static const uint8_t *file_bytes(const struct module *m, uint64_t in_file, size_t *available)
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

static bool file_string(const struct module *m, uint64_t in_file, char *out, size_t size)
{
	size_t available;
	const uint8_t *s = file_bytes(m, in_file, &available);

	if (!s || !memchr(s, 0, available))
		return false;
	snprintf(out, size, "%s", (const char *)s);
	return true;
}

bool symbol_site(const struct board_result *r, uint64_t address, struct frame *out)
{
	static const char *const kinds[] = {
#define X(id, name) [OMEN_SITE_##id] = name,
	        OMEN_SITE_KINDS(X)
#undef X
	};
	struct omen_site site;
	uint64_t in_file;
	size_t available;
	struct module *m = module_of(r, address, &in_file);
	const uint8_t *bytes = m ? file_bytes(m, in_file, &available) : NULL;

	*out = (struct frame){.address = address};
	if (!bytes || available < sizeof site)
		return false;
	memcpy(&site, bytes, sizeof site);
	if (site.kind >= COUNT(kinds))
		return false;
	if (!file_string(m, in_file + offsetof(struct omen_site, file) + (uint64_t)(int64_t)site.file, out->file,
	                 sizeof out->file) ||
	    !file_string(m, in_file + offsetof(struct omen_site, function) + (uint64_t)(int64_t)site.function,
	                 out->function, sizeof out->function))
		return false;
	plain_name(out->file, sizeof out->file);
	snprintf(out->module, sizeof out->module, "%s", base_name(m->path));
	out->offset = in_file;
	out->line = site.line;
	out->column = site.column;
	out->operation = kinds[site.kind];
	out->own = m->own && !is_system_source(out->file);
	return true;
}

bool symbol_where(const struct board_result *r, uint64_t where, struct frame *out)
{
	struct frame frames[16];

	if (!where)
		return false;
	if (!(where & 1))
		return symbol_site(r, where, out);
	/* The place in the program's own code is worth more than the wrapper inlined into it. */
	size_t n = symbol_code(r, (where >> 1) - 1, frames, COUNT(frames));
	const struct frame *own = symbol_own_frame(frames, n);
	*out = own ? *own : frames[0];
	return true;
}

bool symbol_data(const struct board_result *r, uint64_t address, char *out, size_t size)
{
	uint64_t in_file, offset;
	struct module *m = module_of(r, address, &in_file);

	if (!m || !find_symbol(m, in_file, true, out, size, &offset))
		return false;
	size_t used = strlen(out);
	if (offset)
		snprintf(out + used, size - used, "+%lu", offset);
	return true;
}

static bool is_omens(const struct frame *f) { return !strncmp(f->module, "libomen.so", 10); }

/*
 * Takes out what tells nothing: code of the C library without a name, and everything outside the program's outermost
 * function, which is the same in every thread. A stack without any code of the program stays as it is.
 */
static size_t tidy(struct frame *frames, size_t count)
{
	size_t n = 0, last = count;

	while (last && !(frames[last - 1].own && frames[last - 1].line))
		last--;
	if (!last)
		return count;
	for (size_t i = 0; i < last; i++)
		if (frames[i].own || frames[i].function[0])
			frames[n++] = frames[i];
	return n;
}

/* `exact`: the first address is the instruction itself, not where a call returns to. */
static size_t code_stack(const struct board_result *r, const struct board_stack *s, bool exact, struct frame *out,
                         size_t max)
{
	uint32_t depth = s->depth < COUNT(s->pc) ? s->depth : COUNT(s->pc);
	size_t n = 0;

	for (uint32_t i = 0; i < depth && s->pc[i] && n < max; i++) {
		size_t more = symbol_code(r, s->pc[i] - !(exact && !i), &out[n], max - n);
		if (!is_omens(&out[n]))
			n += more;
	}
	return tidy(out, n);
}

/* Of addresses of FUNCTION sites. */
static size_t shadow_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max)
{
	uint32_t depth = s->depth < COUNT(s->pc) ? s->depth : COUNT(s->pc);
	size_t n = 0;

	for (uint32_t i = 0; i < depth && s->pc[i] && n < max; i++) {
		symbol_site(r, s->pc[i], &out[n]);
		out[n++].operation = NULL;
	}
	return tidy(out, n);
}

size_t symbol_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max)
{
	bool failing = s == &r->stacks[0];

	if (failing && r->stack_is_shadow)
		return shadow_stack(r, s, out, max);
	return code_stack(r, s, failing && r->ending == ENDING_CRASH, out, max);
}

size_t symbol_access_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max)
{
	return code_stack(r, s, true, out, max);
}

const struct frame *symbol_own_frame(const struct frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (frames[i].own && (frames[i].line || frames[i].function[0]))
			return &frames[i];
	return NULL;
}

void symbol_annotate(const struct board_result *r, const char *text, char *out, size_t size)
{
	char name[256];
	size_t used = 0;

	while (*text && used + 1 < size) {
		char *end;
		if (strncmp(text, "0x", 2)) {
			out[used++] = *text++;
			continue;
		}
		uint64_t address = strtoull(text, &end, 16);
		bool known = symbol_data(r, address, name, sizeof name);
		int n = snprintf(out + used, size - used, known ? "`%s` (%.*s)" : "%s%.*s", known ? name : "",
		                 (int)(end - text), text);
		used = used + (size_t)n < size ? used + (size_t)n : size - 1;
		text = end;
	}
	out[used] = 0;
}
