/* What a program may ask about its heap, and what it gets as the answer. */
#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>

static int made, freed, kept;
static void *keep;

void __sanitizer_malloc_hook(const volatile void *block, size_t size) { made += block && size == 4321; }
void __sanitizer_free_hook(const volatile void *block) { freed += !!block; }
int __sanitizer_ignore_free_hook(const volatile void *block) { return block == keep && kept++ == 0; }

static int installed;
static void on_malloc(const volatile void *block, size_t size) { installed += block && size == 99; }
static void on_free(const volatile void *block) { (void)block; }

static int wrong;
static void expect(int holds, const char *what)
{
	if (!holds) {
		printf("not so: %s\n", what);
		wrong = 1;
	}
}

int main(void)
{
	size_t before = __sanitizer_get_current_allocated_bytes();
	char *volatile block = malloc(4321);

	expect(made == 1, "the hook is told of a block");
	expect(__sanitizer_get_ownership(block), "a block is owned");
	expect(!__sanitizer_get_ownership(block + 1), "its middle is not");
	expect(!__sanitizer_get_ownership(&made), "a variable is not");
	expect(!__sanitizer_get_ownership(NULL), "nothing is not");
	expect(__sanitizer_get_allocated_size(block) == 4321, "its size is as asked for");
	expect(__sanitizer_get_allocated_begin(block + 4320) == block, "it begins where it begins");
	expect(!__sanitizer_get_allocated_begin(&made), "a variable is in no block");
	expect(__sanitizer_get_current_allocated_bytes() == before + 4321, "its bytes are counted");
	expect(__sanitizer_get_heap_size() >= 4321, "the heap is larger than it");
	block = realloc(block, 10);
	expect(__sanitizer_get_allocated_size(block) == 10, "it becomes smaller");
	int freed_before = freed;
	free(block);
	expect(freed == freed_before + 1, "the hook is told of a free");
	expect(!__sanitizer_get_ownership(block), "a freed block is not owned");
	expect(__sanitizer_get_current_allocated_bytes() == before, "nothing is left");

	keep = malloc(8);
	free(keep);
	expect(__sanitizer_get_ownership(keep), "a free that is ignored is none");
	free(keep);
	expect(!__sanitizer_get_ownership(keep), "the second one is");

	for (int i = 1; i <= 5; i++)
		expect(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) == i, "a pair of hooks");
	expect(!__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free), "no room for a sixth");
	free(malloc(99));
	expect(installed == 5, "each of them is called");
	if (!wrong)
		printf("42\n");
	return wrong;
}
