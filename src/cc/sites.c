/*
 * The site table of a translation unit.
 *
 * Every function has an internal array of its own, and all arrays are in section omen_sites. Code refers to their
 * elements; they refer only to strings, by distances that the static linker can resolve. So a COMDAT function that the
 * linker drops leaves at most unused rows behind, and --gc-sections drops a section that nothing refers to. One array
 * for all functions would be simpler, but the optimiser looks through everything a function refers to each time it
 * inlines into it: a C++ file of 2500 functions took four times as long.
 */
#include "cc/pass.h"

#include <llvm-c/DebugInfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct string {
	char *chars;
	size_t n;
	LLVMValueRef global;
};

struct row {
	LLVMValueRef file, function; /* NULL: a row of bits, which precedes the row of a load */
	uint64_t bits;
	unsigned line, column, kind, flags;
};

/* The numbers of the rows of a load and of a store. */
struct flow_rows {
	size_t load, store;
};

/* The array of the function in work, and the strings of the whole module. */
struct site_table {
	LLVMTypeRef type;
	LLVMValueRef base; /* a placeholder for the array until its length is known */
	struct row *rows;
	size_t n, room;
	struct flow_rows *flows;
	size_t nflows, flow_room;
	struct string *strings; /* open addressing: room is a power of two, never full */
	size_t string_count, string_room;
};

static size_t hash(const char *s, size_t n)
{
	size_t h = 5381;

	for (size_t i = 0; i < n; i++)
		h = h * 33 + (unsigned char)s[i];
	return h;
}

static struct string *find_string(struct site_table *t, const char *s, size_t n)
{
	size_t i = hash(s, n) & (t->string_room - 1);

	while (t->strings[i].chars && (t->strings[i].n != n || memcmp(t->strings[i].chars, s, n)))
		i = (i + 1) & (t->string_room - 1);
	return &t->strings[i];
}

static void grow_strings(struct site_table *t)
{
	struct string *old = t->strings;
	size_t room = t->string_room;

	t->string_room = room ? 2 * room : 64;
	t->strings = calloc(t->string_room, sizeof(*t->strings));
	if (!t->strings)
		fail("out of memory");
	for (size_t i = 0; i < room; i++)
		if (old[i].chars)
			*find_string(t, old[i].chars, old[i].n) = old[i];
	free(old);
}

static LLVMValueRef string(struct pass *p, const char *s, size_t n)
{
	struct site_table *t = p->sites;

	if (2 * t->string_count >= t->string_room)
		grow_strings(t);

	struct string *slot = find_string(t, s, n);
	if (slot->chars)
		return slot->global;

	LLVMValueRef value = LLVMConstStringInContext2(p->context, s, n, false);
	LLVMValueRef global = LLVMAddGlobal(p->module, LLVMTypeOf(value), "omen.text");
	LLVMSetInitializer(global, value);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	LLVMSetAlignment(global, 1);
	*slot = (struct string){strndup(s, n), n, global};
	t->string_count++;
	return global;
}

static LLVMValueRef operand(struct pass *p, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef value = LLVMMetadataAsValue(p->context, node);
	LLVMValueRef operands[64];
	unsigned n = LLVMGetMDNodeNumOperands(value);

	if (index >= n || n > 64)
		return NULL;
	LLVMGetMDNodeOperands(value, operands);
	return operands[index];
}

/*
 * The C interface has no accessors for the parent of a scope and the name of a subprogram: they are operands 1 and 2.
 */
static LLVMValueRef function_name(struct pass *p, LLVMMetadataRef scope, LLVMValueRef function)
{
	while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
		LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
		bool nested = kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
		LLVMValueRef parent = nested ? operand(p, scope, 1) : NULL;
		scope = parent ? LLVMValueAsMetadata(parent) : NULL;
	}

	LLVMValueRef name = scope ? operand(p, scope, 2) : NULL;
	unsigned length;
	const char *s = name ? LLVMGetMDString(name, &length) : NULL;
	if (s && length)
		return string(p, s, length);

	size_t n;
	s = LLVMGetValueName2(function, &n);
	return string(p, s, n);
}

static LLVMValueRef file_name(struct pass *p, LLVMMetadataRef scope)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	size_t source;
	unsigned length;

	if (file) {
		const char *s = LLVMDIFileGetFilename(file, &length);
		return string(p, s, length);
	}
	const char *s = LLVMGetSourceFileName(p->module, &source);
	return string(p, s, source);
}

static LLVMValueRef add_row(struct pass *p, struct row row)
{
	struct site_table *t = p->sites;

	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 256;
		t->rows = realloc(t->rows, t->room * sizeof(*t->rows));
		if (!t->rows)
			fail("out of memory");
	}
	t->rows[t->n] = row;
	LLVMValueRef index = constant(p->i64, t->n++);
	return LLVMConstGEP2(t->type, t->base, &index, 1);
}

LLVMValueRef site(struct pass *p, LLVMValueRef instruction, enum omen_site_kind kind, unsigned flags)
{
	LLVMValueRef function = function_of(instruction);
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
	LLVMMetadataRef scope = location ? LLVMDILocationGetScope(location) : LLVMGetSubprogram(function);
	unsigned line = location ? LLVMDILocationGetLine(location) : 0;
	unsigned column = location ? LLVMDILocationGetColumn(location) : 0;

	return add_row(p, (struct row){.file = file_name(p, scope),
	                               .function = function_name(p, scope, function),
	                               .line = line,
	                               .column = column > UINT16_MAX ? 0 : column,
	                               .kind = kind,
	                               .flags = flags});
}

LLVMValueRef load_site(struct pass *p, LLVMValueRef load, unsigned flags, uint64_t bits)
{
	if (bits == UINT64_MAX)
		return site(p, load, OMEN_SITE_LOAD, flags);
	add_row(p, (struct row){.bits = bits, .kind = OMEN_SITE_LOAD});
	return site(p, load, OMEN_SITE_LOAD, flags | OMEN_SITE_PARTLY);
}

LLVMValueRef function_site(struct pass *p, LLVMValueRef function)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(function);
	unsigned line = scope ? LLVMDISubprogramGetLine(scope) : 0;

	return add_row(p, (struct row){.file = file_name(p, scope),
	                               .function = function_name(p, scope, function),
	                               .line = line,
	                               .kind = OMEN_SITE_FUNCTION});
}

size_t last_site(struct pass *p) { return p->sites->n - 1; }

void add_flow(struct pass *p, size_t load, size_t store)
{
	struct site_table *t = p->sites;

	if (t->nflows == t->flow_room) {
		t->flow_room = t->flow_room ? 2 * t->flow_room : 64;
		t->flows = realloc(t->flows, t->flow_room * sizeof(*t->flows));
		if (!t->flows)
			fail("out of memory");
	}
	t->flows[t->nflows++] = (struct flow_rows){load, store};
}

void open_sites(struct pass *p)
{
	struct site_table *t = calloc(1, sizeof(*t));
	LLVMTypeRef fields[] = {p->i32, p->i32, p->i32, p->i16, p->i8, p->i8};

	if (!t)
		fail("out of memory");
	t->type = LLVMStructTypeInContext(p->context, fields, 6, false);
	t->base = LLVMAddGlobal(p->module, t->type, "omen.sites.open");
	p->sites = t;
}

/* The distance from field `field` of row `row` to what the field refers to. */
static LLVMValueRef distance(struct pass *p, LLVMValueRef table, size_t row, unsigned field, LLVMValueRef to)
{
	LLVMValueRef path[] = {constant(p->i64, 0), constant(p->i64, row), constant(p->i32, field)};
	LLVMValueRef here = LLVMConstInBoundsGEP2(LLVMGlobalGetValueType(table), table, path, 3);
	LLVMValueRef bytes = LLVMConstSub(LLVMConstPtrToInt(to, p->i64), LLVMConstPtrToInt(here, p->i64));

	return LLVMConstTrunc(bytes, p->i32);
}

static LLVMValueRef row_of(struct pass *p, LLVMValueRef table, size_t row)
{
	LLVMValueRef path[] = {constant(p->i64, 0), constant(p->i64, row)};

	return LLVMConstInBoundsGEP2(LLVMGlobalGetValueType(table), table, path, 2);
}

static void write_flow_table(struct pass *p, LLVMValueRef sites)
{
	struct site_table *t = p->sites;
	LLVMTypeRef fields[] = {p->i32, p->i32}, type = LLVMStructTypeInContext(p->context, fields, 2, false);

	if (!t->nflows)
		return;

	LLVMValueRef *rows = calloc(t->nflows, sizeof(*rows));
	if (!rows)
		fail("out of memory");

	LLVMValueRef table = LLVMAddGlobal(p->module, LLVMArrayType2(type, t->nflows), "omen.flows");
	LLVMSetLinkage(table, LLVMInternalLinkage); /* as with the sites, below */
	for (size_t i = 0; i < t->nflows; i++) {
		LLVMValueRef load = row_of(p, sites, t->flows[i].load), store = row_of(p, sites, t->flows[i].store);
		LLVMValueRef row[] = {distance(p, table, i, 0, load), distance(p, table, i, 1, store)};
		rows[i] = LLVMConstStructInContext(p->context, row, 2, false);
	}
	LLVMSetInitializer(table, LLVMConstArray2(type, rows, t->nflows));
	LLVMSetGlobalConstant(table, true);
	LLVMSetSection(table, OMEN_FLOWS_SECTION);
	LLVMSetAlignment(table, _Alignof(struct omen_flow));
	keep_global(p, table); /* nothing in the code refers to it */
	t->nflows = 0;
	free(rows);
}

void end_function_sites(struct pass *p)
{
	struct site_table *t = p->sites;

	if (!t->n)
		return;

	LLVMValueRef *rows = calloc(t->n, sizeof(*rows));
	if (!rows)
		fail("out of memory");

	LLVMValueRef table = LLVMAddGlobal(p->module, LLVMArrayType2(t->type, t->n), "omen.sites");
	/* Internal before the distances are made: only then LLVM sees that they need no dynamic relocation. */
	LLVMSetLinkage(table, LLVMInternalLinkage);
	for (size_t i = 0; i < t->n; i++) {
		struct row *r = &t->rows[i];
		LLVMValueRef first[] = {
		        r->file ? distance(p, table, i, 0, r->file) : constant(p->i32, r->bits & UINT32_MAX),
		        r->file ? distance(p, table, i, 1, r->function) : constant(p->i32, r->bits >> 32)};
		LLVMValueRef fields[] = {first[0],
		                         first[1],
		                         constant(p->i32, r->line),
		                         constant(p->i16, r->column),
		                         constant(p->i8, r->kind),
		                         constant(p->i8, r->flags)};
		rows[i] = LLVMConstStructInContext(p->context, fields, 6, false);
	}
	LLVMSetInitializer(table, LLVMConstArray2(t->type, rows, t->n));
	LLVMSetGlobalConstant(table, true);
	LLVMSetSection(table, OMEN_SITES_SECTION);
	LLVMSetAlignment(table, _Alignof(struct omen_site));
	LLVMReplaceAllUsesWith(t->base, table);
	write_flow_table(p, table);
	t->n = 0;
	free(rows);
}

void close_sites(struct pass *p)
{
	struct site_table *t = p->sites;

	LLVMDeleteGlobal(t->base);
	for (size_t i = 0; i < t->string_room; i++)
		free(t->strings[i].chars);
	free(t->strings);
	free(t->rows);
	free(t->flows);
	free(t);
	p->sites = NULL;
}
