/*
 * Names come from DWARF.  Without it the symbol table still names the function; module and offset are always known.
 */
#include "report/symbol.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/scoped_name.h"
#include "abi/hooks.h"
#include "format/file.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/*
 * The plain names in a mangled symbol: "a::b" for _ZN1a1bEi, without arguments and templates.  DWARF has names in
 * clear, so this is only for variables and for programs without DWARF; that is not worth a dependency for all of the
 * C++ ABI.
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

/* The function, or the variable if `data`, that holds an address. */
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
			/* A function of assembly has size 0: it reaches to the next one. */
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

/* Makes "/usr/include/x" of "/usr/lib/gcc/../../include/x", if that file exists. */
static void resolve_parents(char *name, size_t size)
{
	char *plain = strstr(name, "/../") ? realpath(name, NULL) : NULL;

	if (plain && strlen(plain) < size)
		strcpy(name, plain);
	free(plain);
}

/* A path without the directory that the compiler ran in: as the compiler got it. */
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
	resolve_parents(out, size);
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
 * The function that holds an address.  dwarf_getscopes() would miss some: it skips namespaces, because they have no
 * addresses of their own, and clang puts functions into them.
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

/*
 * Adds the blocks and inlined calls around the address to the function in scopes[0], from the outermost to the
 * innermost.  Returns how many scopes there are.
 */
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

/*
 * The functions around an address, the innermost inlined call first.  `common`: what all these frames have in common.
 * Returns 0 if DWARF has none.
 */
static size_t dwarf_frames(const struct module *m, uint64_t in_file, const struct frame *common, struct frame *out,
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
		*f = *common;
		scoped_name(&scopes[i], f->function, sizeof f->function);
		if (source)
			source_name(unit, source, f->file, sizeof f->file);
		f->line = (unsigned)line_number;
		f->column = (unsigned)column;
		f->own = common->own && !(source && is_system_source(source));
		if (tag == DW_TAG_subprogram)
			break;
		source = dwarf_filesrc(files, take_unsigned(&scopes[i], DW_AT_call_file), NULL, NULL);
		line_number = (int)take_unsigned(&scopes[i], DW_AT_call_line);
		column = (int)take_unsigned(&scopes[i], DW_AT_call_column);
	}
	return n;
}

/* A cache of the frames of addresses: thousands of races share few addresses, and DWARF is slow. */
struct cached_code {
	const struct module *module;
	uint64_t in_file;
	struct frame *frames;
	size_t count;
	struct cached_code *next;
};

#define CACHE_BUCKETS 4096
#define CACHE_FRAMES  32

static struct cached_code *cached_code[CACHE_BUCKETS];

static const struct cached_code *find_code(const struct module *m, uint64_t in_file)
{
	struct cached_code **bucket = &cached_code[in_file % CACHE_BUCKETS];
	struct frame frames[CACHE_FRAMES], common = {.offset = in_file, .own = m->own};
	uint64_t offset;

	for (const struct cached_code *k = *bucket; k; k = k->next)
		if (k->in_file == in_file && k->module == m)
			return k;
	snprintf(common.module, sizeof common.module, "%s", base_name(m->path));
	size_t n = dwarf_frames(m, in_file, &common, frames, CACHE_FRAMES);
	if (!n) {
		find_symbol(m, in_file, false, common.function, sizeof common.function, &offset);
		frames[n++] = common;
	}
	struct cached_code *k = must_alloc(sizeof *k);
	*k = (struct cached_code){m, in_file, must_alloc(n * sizeof *frames), n, *bucket};
	memcpy(k->frames, frames, n * sizeof *frames);
	return *bucket = k;
}

size_t symbol_code(const struct board_result *r, uint64_t address, struct frame *out, size_t max)
{
	uint64_t in_file;
	const struct module *m = module_of(r, address, &in_file);
	const struct cached_code *k = m ? find_code(m, in_file) : NULL;
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

static bool file_string(const struct module *m, uint64_t in_file, char *out, size_t size)
{
	size_t available;
	const uint8_t *s = module_bytes(m, in_file, &available);

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
	const uint8_t *bytes = m ? module_bytes(m, in_file, &available) : NULL;

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
	resolve_parents(out->file, sizeof out->file);
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
	/* The program's own code is worth more to a reader than a library's wrapper that is inlined into it. */
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

static bool is_in_runtime(const struct frame *f) { return !strncmp(f->module, "libomen.so", 10); }

/*
 * Removes the frames that help no reader: code of the C library without a name, and the callers of the program's
 * outermost function, which are the same in every thread.  A stack without code of the program stays as it is.
 */
static size_t drop_useless_frames(struct frame *frames, size_t count)
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

/* `exact`: the first address is the instruction itself, not a return address. */
static size_t code_stack(const struct board_result *r, const struct board_stack *s, bool exact, struct frame *out,
                         size_t max)
{
	uint32_t depth = s->depth < COUNT(s->pc) ? s->depth : COUNT(s->pc);
	size_t n = 0;

	for (uint32_t i = 0; i < depth && s->pc[i] && n < max; i++) {
		size_t more = symbol_code(r, s->pc[i] - !(exact && !i), &out[n], max - n);
		if (!is_in_runtime(&out[n]))
			n += more;
	}
	return drop_useless_frames(out, n);
}

/* A stack whose addresses are those of FUNCTION sites. */
static size_t shadow_stack(const struct board_result *r, const struct board_stack *s, struct frame *out, size_t max)
{
	uint32_t depth = s->depth < COUNT(s->pc) ? s->depth : COUNT(s->pc);
	size_t n = 0;

	for (uint32_t i = 0; i < depth && s->pc[i] && n < max; i++) {
		symbol_site(r, s->pc[i], &out[n]);
		out[n++].operation = NULL;
	}
	return drop_useless_frames(out, n);
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
