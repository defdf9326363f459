/*
 * A table of each module has its variables with a fixed address, ordered by address.  The name of some bytes starts
 * with the variable and goes down its type, as long as one member or element holds all the bytes.  Where more than one
 * does (a union, bit-fields that share a byte), the name ends: the rest would be a guess.
 */
#include "report/variable.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/scoped_name.h"
#include "report/symbol.h"
#include "format/file.h"

#define DEPTH_LIMIT 32

struct known_variable {
	Dwarf_Addr start;
	uint64_t size;
	Dwarf_Die die;      /* the one with the location */
	Dwarf_Die function; /* around it, if `is_static` */
	bool is_static;
};

struct variables {
	struct known_variable *list; /* by address */
	size_t count;
};

/* Goes from a die to the one that its attribute refers to, also if only the declaration has that attribute. */
static bool follow(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Die target;

	if (!dwarf_attr_integrate(die, attribute, &a) || !dwarf_formref_die(&a, &target))
		return false;
	*die = target;
	return true;
}

/* The type of a die without const, volatile, _Atomic and typedef. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	*type = *die;
	if (!follow(type, DW_AT_type))
		return false;
	for (int i = 0; i < DEPTH_LIMIT; i++) {
		int tag = dwarf_tag(type);
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
		    tag != DW_TAG_atomic_type && tag != DW_TAG_restrict_type)
			return true;
		if (!follow(type, DW_AT_type))
			return false;
	}
	return false;
}

static bool size_of(Dwarf_Die *type, uint64_t *size)
{
	Dwarf_Word bytes;

	if (dwarf_aggregate_size(type, &bytes) || !bytes)
		return false;
	*size = bytes;
	return true;
}

/* The address of a variable that has one.  Thread-local variables and those in registers have none. */
static bool fixed_address(Dwarf_Die *die, Dwarf_Addr *address)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &a) || dwarf_getlocation(&a, &ops, &n) || n != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*address = ops[0].number;
		return true;
	}
	Dwarf_Attribute index;
	return ops[0].atom == DW_OP_addrx && !dwarf_getlocation_attr(&a, ops, &index) &&
	       !dwarf_formaddr(&index, address);
}

static void add_variable(struct variables *v, Dwarf_Die *die, const Dwarf_Die *function)
{
	struct known_variable known = {.die = *die, .is_static = function};
	Dwarf_Die type;

	if (!fixed_address(die, &known.start) || !type_of(die, &type) || !size_of(&type, &known.size))
		return;
	if (function)
		known.function = *function;
	if (!(v->count & (v->count - 1)))
		v->list = must_resize(v->list, (v->count ? 2 * v->count : 1) * sizeof *v->list);
	v->list[v->count++] = known;
}

/* Adds the variables in a unit, namespace, function or block. */
static void add_variables(struct variables *v, Dwarf_Die *parent, const Dwarf_Die *function, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_LIMIT || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_variable)
			add_variable(v, &die, function);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block)
			add_variables(v, &die, function, depth + 1);
		else if (tag == DW_TAG_subprogram)
			add_variables(v, &die, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

static int by_start(const void *a, const void *b)
{
	const struct known_variable *v = a, *w = b;

	return v->start < w->start ? -1 : v->start > w->start;
}

static const struct variables *variables_of(struct module *m)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;

	if (m->variables)
		return m->variables;
	m->variables = must_alloc(sizeof *m->variables);
	while (m->dwarf && !dwarf_get_units(m->dwarf, unit, &unit, NULL, &type, &die, NULL))
		if (dwarf_tag(&die) == DW_TAG_compile_unit)
			add_variables(m->variables, &die, NULL, 0);
	if (m->variables->count)
		qsort(m->variables->list, m->variables->count, sizeof *m->variables->list, by_start);
	return m->variables;
}

static struct known_variable *find(const struct variables *v, uint64_t address)
{
	size_t low = 0, high = v->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (v->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - v->list[low - 1].start >= v->list[low - 1].size)
		return NULL;
	return &v->list[low - 1];
}

/* A step on the way from a variable down to some bytes: a type, and where these bytes are in it. */
struct descent {
	Dwarf_Die type;
	uint64_t offset, bytes;
	char *name;  /* of the bytes, as far as the way has come */
	size_t size; /* room for the name */
};

static void append(struct descent *d, const char *text, uint64_t number)
{
	size_t used = strlen(d->name);

	if (text)
		snprintf(d->name + used, d->size - used, ".%s", text);
	else
		snprintf(d->name + used, d->size - used, "[%lu]", number);
}

static bool constant(Dwarf_Die *die, unsigned attribute, Dwarf_Word *value)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, attribute, &a) && !dwarf_formudata(&a, value);
}

/* Steps into the one member or base class that holds all the bytes. */
static bool enter_member(struct descent *d)
{
	Dwarf_Die member, found, type, member_type;
	Dwarf_Word at, bits;
	uint64_t size, start = 0;
	unsigned count = 0;

	if (dwarf_child(&d->type, &member))
		return false;
	do {
		int tag = dwarf_tag(&member);
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || constant(&member, DW_AT_bit_size, &bits))
			continue;
		if (!constant(&member, DW_AT_data_member_location, &at) || !type_of(&member, &member_type) ||
		    !size_of(&member_type, &size))
			continue;
		if (d->offset < at || d->offset + d->bytes > at + size)
			continue;
		count++;
		found = member;
		type = member_type;
		start = at;
	} while (!dwarf_siblingof(&member, &member));
	if (count != 1)
		return false;
	const char *name = dwarf_tag(&found) == DW_TAG_member ? dwarf_diename(&found) : NULL;
	if (name)
		append(d, name, 0);
	d->type = type;
	d->offset -= start;
	return true;
}

/* The number of elements in each dimension of an array.  Returns how many dimensions there are; 0: unknown. */
static size_t dimensions(Dwarf_Die *array, uint64_t *counts, size_t max)
{
	Dwarf_Die die;
	size_t n = 0;

	if (dwarf_child(array, &die))
		return 0;
	do {
		Dwarf_Word value;
		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		bool has_count = constant(&die, DW_AT_count, &value);
		if (n == max || (!has_count && !constant(&die, DW_AT_upper_bound, &value)))
			return 0;
		counts[n++] = has_count ? value : value + 1;
	} while (!dwarf_siblingof(&die, &die));
	return n;
}

static bool enter_element(struct descent *d)
{
	uint64_t counts[8], size;
	size_t n = dimensions(&d->type, counts, 8);
	Dwarf_Die element;

	if (!n || !type_of(&d->type, &element) || !size_of(&element, &size))
		return false;
	uint64_t index = d->offset / size, within = d->offset % size, stride = 1;
	if (within + d->bytes > size)
		return false;
	for (size_t i = 1; i < n; i++)
		stride *= counts[i];
	for (size_t i = 0; i < n && stride; i++) {
		append(d, NULL, index / stride);
		index %= stride;
		stride = i + 1 < n ? stride / counts[i + 1] : 1;
	}
	d->type = element;
	d->offset = within;
	return true;
}

static void descend(struct descent *d)
{
	bool further = true;

	for (int i = 0; further && i < DEPTH_LIMIT; i++) {
		int tag = dwarf_tag(&d->type);
		if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
			further = enter_member(d);
		else if (tag == DW_TAG_array_type)
			further = enter_element(d);
		else
			further = false;
	}
}

static bool from_symbols(const struct board_result *r, uint64_t address, struct variable *out)
{
	return symbol_data(r, address, out->name, sizeof out->name);
}

/* Does not use dwarf_decl_file(): that takes DWARF 5's file 0, the unit's own source, for none. */
static void find_declaration(Dwarf_Die *die, struct variable *out)
{
	Dwarf_Word file, line;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t count;

	if (!constant(die, DW_AT_decl_file, &file) || !constant(die, DW_AT_decl_line, &line) ||
	    !dwarf_diecu(die, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &count) || file >= count)
		return;
	const char *name = dwarf_filesrc(files, file, NULL, NULL);
	if (!name)
		return;
	snprintf(out->file, sizeof out->file, "%s", base_name(name));
	out->line = (unsigned)line;
}

bool variable_at(const struct board_result *r, uint64_t address, uint64_t bytes, struct variable *out)
{
	uint64_t in_file;
	struct module *m = module_of(r, address, &in_file);
	struct known_variable *known = m ? find(variables_of(m), in_file) : NULL;
	Dwarf_Die type;

	*out = (struct variable){0};
	if (!known || !type_of(&known->die, &type))
		return from_symbols(r, address, out);
	scoped_name(&known->die, out->name, sizeof out->name);
	if (!out->name[0])
		return from_symbols(r, address, out);
	out->size = known->size;
	out->is_static = known->is_static;
	find_declaration(&known->die, out);
	if (known->is_static)
		scoped_name(&known->function, out->function, sizeof out->function);
	struct descent d = {type, in_file - known->start, bytes, out->name, sizeof out->name};
	descend(&d);
	return true;
}

bool lock_name(const struct board_result *r, uint64_t address, char *out, size_t size)
{
	struct variable v;

	if (!variable_at(r, address, 1, &v))
		return false;
	/* The name of a std::mutex ends before the members that the library put into it. */
	char *inside = strstr(v.name, "._M_");
	if (inside)
		*inside = 0;
	snprintf(out, size, "%s", v.name);
	return true;
}

static bool is_declared_in(Dwarf_Die *die, const char *file)
{
	struct variable v = {0};

	find_declaration(die, &v);
	return !strcmp(v.file, base_name(file));
}

/* The kind of number that a type is; size 0: it is no number. */
static struct number number_of(Dwarf_Die *type)
{
	struct number n = {0};
	Dwarf_Word encoding;
	Dwarf_Die base;
	int tag = dwarf_tag(type);

	if (tag == DW_TAG_enumeration_type && type_of(type, &base))
		return number_of(&base);
	if (!size_of(type, &n.size) || n.size > 8)
		return (struct number){0};
	if (tag == DW_TAG_pointer_type || tag == DW_TAG_enumeration_type)
		return n;
	if (tag != DW_TAG_base_type || !constant(type, DW_AT_encoding, &encoding))
		return (struct number){0};
	n.is_real = encoding == DW_ATE_float;
	n.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return n;
}

size_t variable_number(const char *path, const char *file, const char *name, struct number *out)
{
	const struct variables *all = variables_of(module_open(path));
	size_t found = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct known_variable *k = &all->list[i];
		const char *plain = dwarf_diename(&k->die);
		char scoped[192];
		Dwarf_Die type;
		scoped_name(&k->die, scoped, sizeof scoped);
		if ((strcmp(scoped, name) && (!plain || strcmp(plain, name))) || !is_declared_in(&k->die, file))
			continue;
		if (i && found && k->start == all->list[i - 1].start) /* some variables of C++ have two dies */
			continue;
		if (type_of(&k->die, &type))
			*out = number_of(&type);
		out->address = k->start;
		found++;
	}
	return found;
}
