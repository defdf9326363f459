/* Prints what omen-cc records about its own accesses: "line kind flags", and "load-line > store-line" for each flow. */
#include <stdio.h>

#include "hooks.h"

extern const struct omen_site __start_omen_sites[], __stop_omen_sites[];
extern const struct omen_flow __start_omen_flows[], __stop_omen_flows[];

int x, y, z, *q, a[10], d = 1;
double real;
struct { int first, second; } pair;
volatile int v;
int use(int);

void increments(void) { x++; }                         /* confined */
void computes(void) { y = (x + 3) * 2 - pair.second; } /* both */
void chooses(int c) { y = c ? x : z; }                 /* a choice between values is data */
int returns(void) { return x; }
void calls(void) { use(x); }
void branches(void) { if (x) y = 1; else use(2); }
void indexes(void) { a[x] = 1; }
void follows(void) { *q = 1; }
void divides(void) { y = d / x; }
void converts(void) { real = x * 0.5; }
void atomically(void) { __atomic_store_n(&y, x, __ATOMIC_RELAXED); }
void volatiles(void) { v = x; }
void reads_volatile(void) { y = v; }
void privately(void) { int local = x; use(*(&local)); }
void twice(void) { y = x; z = x; }
void drops(void) { int unused = x; (void)unused; }
int use(int i) { return i + d; }

int main(int argc, char **argv)
{
	if (argc > 1)
		printf("%s\n", argv[1]);
	for (const struct omen_site *s = __start_omen_sites; s < __stop_omen_sites; s++)
		if (s->line && (s->kind == OMEN_SITE_LOAD || s->kind == OMEN_SITE_STORE)) /* line 0: an array of bits */
			printf("%s %s%s%s%s\n", omen_site_function(s), s->kind == OMEN_SITE_LOAD ? "load" : "store",
			       s->flags & OMEN_SITE_FIXED ? " fixed" : "", s->flags & OMEN_SITE_CONFINED ? " confined" : "",
			       s->flags & OMEN_SITE_FED ? " fed" : "");
	for (const struct omen_flow *f = __start_omen_flows; f < __stop_omen_flows; f++) {
		const struct omen_site *load = (const void *)((const char *)&f->load + f->load);
		const struct omen_site *store = (const void *)((const char *)&f->store + f->store);
		printf("%s:%u > %s:%u\n", omen_site_function(load), load->column, omen_site_function(store), store->column);
	}
}
