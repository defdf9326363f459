#include "report/scoped_name.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Goes from a die to the one that its attribute refers to. */
static bool follow(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Die target;

	if (!dwarf_attr(die, attribute, &a) || !dwarf_formref_die(&a, &target))
		return false;
	*die = target;
	return true;
}

void scoped_name(const Dwarf_Die *concrete, char *out, size_t size)
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
