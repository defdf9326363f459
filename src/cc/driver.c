/*
 * omen-cc and omen-c++: clang, with Omen's instrumentation between its front end and its back end.
 *
 * A source is compiled to bitcode before any optimisation, instrumented, and then compiled with the user's own options.
 * A command that asks for anything else than an object, assembly or a linked file is answered by clang.
 */
#include "cc/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/hooks.h"

static struct {
	const char *clang;
	const char *libdir; /* directory of libomen.so and inline.bc */
} paths;

static const char *join(const char *a, const char *b)
{
	char *s;

	if (asprintf(&s, "%s%s", a, b) < 0)
		fail("out of memory");
	return s;
}

/* In a build tree everything is beside the driver, in an installation in ../lib/omen. */
static void find_libdir(void)
{
	char path[PATH_MAX] = "";

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		fail("cannot read /proc/self/exe: %s", strerror(errno));
	*strrchr(path, '/') = '\0';
	if (!access(join(path, "/libomen.so"), R_OK) && !access(join(path, "/inline.bc"), R_OK))
		paths.libdir = strdup(path);
	else
		paths.libdir = join(path, "/../lib/omen");

	char *clean = realpath(paths.libdir, NULL); /* it becomes a run path of the user's programs */
	if (clean)
		paths.libdir = clean;
}

static const char *library(const char *name)
{
	const char *path = join(paths.libdir, join("/", name));

	if (access(path, R_OK))
		fail("cannot find %s, which belongs to omen-cc: build or install Omen completely", path);
	return path;
}

static void add_roles(struct list *args, const struct command *c, unsigned roles)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!(c->at[i].role & roles))
			continue;
		list_add(args, c->at[i].text);
		if (c->at[i].value)
			list_add(args, c->at[i].value);
	}
}

static const char *with_ending(const char *path, const char *ending)
{
	const char *base = strrchr(path, '/');
	const char *dot = strrchr(base ? base : path, '.');
	char *stem = strndup(path, dot && dot != path ? (size_t)(dot - path) : strlen(path));

	return join(stem, ending);
}

/* The name clang gives to the product of a source without -o: in the working directory, after the source. */
static const char *default_name(const char *source, const char *ending)
{
	const char *base = strrchr(source, '/');
	return with_ending(base ? base + 1 : source, ending);
}

static const char *dependencies_name(const struct command *c, const char *source)
{
	if (c->depends_file)
		return c->depends_file;
	return c->name ? with_ending(c->name, ".d") : default_name(source, ".d");
}

/* The front end writes to a temporary file, but makefile fragments must name the real product. */
static void add_dependencies(struct list *args, const struct command *c, const char *source)
{
	if (!c->depends)
		return;
	add_roles(args, c, DEPENDS);
	if (!c->depends_file)
		list_add_all(args, (const char *[]){"-MF", dependencies_name(c, source), NULL});
	if (!c->depends_target) {
		list_add(args, "-MQ");
		list_add(args, c->name ? c->name : default_name(source, ".o"));
	}
}

static void add_source(struct list *args, const struct argument *source)
{
	if (source->language) {
		list_add(args, "-x");
		list_add(args, source->language);
	}
	list_add(args, source->text);
}

/* Options and warnings of gcc that clang does not know are no error, and no reason for a warning. */
static const char *const tolerant[] = {"-Qunused-arguments", "-Wno-unknown-warning-option",
                                       "-Wno-ignored-optimization-argument", NULL};

/*
 * Tells the program about Omen: include/omen.h, gcc's sign of ThreadSanitizer, and clang's. Clang's option also marks
 * the functions whose accesses count. It bypasses clang's driver, which would refuse targets and link a
 * runtime.
 */
static void add_features(struct list *args, const struct command *c)
{
	static const char *const thread[] = {"-D__SANITIZE_THREAD__=1", "-Xclang", "-fsanitize=thread", NULL};

	list_add(args, "-D__OMEN__=1");
	list_add_all(args, (const char *[]){"-idirafter", paths.libdir, NULL}); /* omen.h */
	if (!c->no_thread)
		list_add_all(args, thread);
}

/* Headers of ours that come before libstdc++'s: with them C++'s strings and streams become part of the program. */
static const char *cxx_headers(void) { return join(paths.libdir, "/c++"); }

static void add_cxx_headers(struct list *args, const struct command *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->at[i].text, "-stdlib=libc++")) /* programs recognise the library by its headers */
			return;
	list_add_all(args, (const char *[]){"-cxx-isystem", cxx_headers(), NULL});
}

static bool is_optimised(const struct command *c) { return c->optimise && strcmp(c->optimise, "-O0"); }

static const char *front_end(const struct command *c, const struct argument *source)
{
	static const char *const unoptimised[] = {"-Xclang", "-disable-llvm-passes", NULL};
	static const char *const not_optnone[] = {"-Xclang", "-disable-O0-optnone", NULL};
	const char *bitcode = temporary_file(".bc");
	struct list args = {0};

	list_add(&args, paths.clang);
	list_add_all(&args, tolerant);
	add_features(&args, c);
	add_cxx_headers(&args, c);
	list_add(&args, "-gline-tables-only"); /* sites need lines; a -g option of the user comes later and wins */
	add_roles(&args, c, FRONT);
	list_add_all(&args, unoptimised);
	if (!is_optimised(c))
		list_add_all(&args, not_optnone);
	add_dependencies(&args, c, source->text);
	list_add_all(&args, (const char *[]){"-c", "-emit-llvm", "-o", bitcode, NULL});
	add_source(&args, source);
	run_child(&args);
	if (c->depends)
		drop_dependencies(dependencies_name(c, source->text), cxx_headers());
	return bitcode;
}

/*
 * The front end has given all warnings. Those of the back end (sizes of frames) would be about code that the user did
 * not write.
 */
static void compile_bitcode(const struct command *c, const char *const *more, const char *bitcode, const char *out)
{
	static const char *const quiet[] = {"-Qunused-arguments", "-Wno-everything", NULL};
	static const char *const scalar[] = {"-fno-vectorize", "-fno-slp-vectorize", NULL};
	struct list args = {0};

	list_add(&args, paths.clang);
	list_add_all(&args, quiet);
	add_roles(&args, c, CODEGEN);
	list_add_all(&args, scalar);
	list_add_all(&args, more);
	list_add_all(&args, (const char *[]){"-o", out, "-x", "ir", bitcode, NULL});
	run_child(&args);
}

/* --as-optimised: optimises first, so that the pass instruments the result. */
static const char *optimise(const struct command *c, const char *bitcode)
{
	const char *unmarked = temporary_file(".bc"), *out = temporary_file(".bc");

	make_optimisable(bitcode, unmarked);
	compile_bitcode(c, (const char *[]){"-fno-unroll-loops", "-emit-llvm", "-c", NULL}, unmarked, out);
	return out;
}

static void back_end(const struct command *c, const char *bitcode, const char *out)
{
	const char *more[] = {c->output == ASSEMBLED ? "-S" : "-c", c->emit_llvm ? "-emit-llvm" : NULL, NULL};

	compile_bitcode(c, more, bitcode, out);
}

static void assemble(const struct command *c, const struct argument *source, const char *out)
{
	struct list args = {0};

	list_add(&args, paths.clang);
	list_add_all(&args, tolerant);
	add_features(&args, c);
	add_roles(&args, c, FRONT | CODEGEN);
	add_dependencies(&args, c, source->text);
	list_add_all(&args, (const char *[]){c->output == ASSEMBLED ? "-S" : "-c", "-o", out, NULL});
	add_source(&args, source);
	run_child(&args);
}

static void compile(const struct command *c, const struct argument *source, const char *out)
{
	if (source->input == ASSEMBLY) {
		assemble(c, source, out);
		return;
	}
	const char *helpers = library("inline.bc");
	const char *plain = front_end(c, source), *instrumented = temporary_file(".bc");
	unsigned mode = source->input == IR && !c->no_thread ? PASS_FOREIGN : 0;

	if (c->as_optimised)
		plain = optimise(c, plain);
	else
		mode |= PASS_PROMOTE; /* at -O0 too, so that every level instruments the same accesses */
	instrument(plain, instrumented, helpers, mode);
	back_end(c, instrumented, out);
}

static const char *product_name(const struct command *c, const struct argument *source)
{
	if (c->name)
		return c->name;
	if (c->output == ASSEMBLED)
		return default_name(source->text, c->emit_llvm ? ".ll" : ".s");
	return default_name(source->text, c->emit_llvm ? ".bc" : ".o");
}

static bool is_compiled(const struct argument *a)
{
	return a->input == SOURCE || a->input == IR || a->input == ASSEMBLY;
}

static void compile_all(const struct command *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (is_compiled(&c->at[i]))
			compile(c, &c->at[i], product_name(c, &c->at[i]));
}

/* libomen comes first, so that its definitions win over those of libc and libstdc++. */
static void add_runtime(struct list *args, const struct command *c)
{
	library("libomen.so");
	list_add(args, join("-L", paths.libdir));
	list_add_all(args, (const char *[]){"-Wl,--push-state,--no-as-needed", "-lomen", "-Wl,--pop-state", NULL});
	list_add(args, join("-Wl,-rpath,", paths.libdir));
	/*
	 * an exploration forks before main: every run inherits the symbols that are bound by then; libraries may need
	 * lazy binding
	 */
	if (!c->shared)
		list_add(args, "-Wl,-z,now");
}

/*
 * Whether an input has calls of ThreadSanitizer, which libomen answers: an object of -fsanitize=thread, or an archive
 * of them.
 */
static bool calls_tsan(const char *path)
{
	static const char name[] = "__tsan_init";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool found = false;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0) {
		void *bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		found = bytes != MAP_FAILED && memmem(bytes, st.st_size, name, sizeof(name));
	}
	if (fd >= 0)
		close(fd);
	return found;
}

/* Such objects have no note of Omen's version. This source of an object with the note is linked with them. */
static const char *note_source(void)
{
	const char *path = temporary_file(".s");
	FILE *f = fopen(path, "w");

	if (!f)
		fail("cannot write %s: %s", path, strerror(errno));
	fprintf(f, ".section .note.omen,\"a\",@note\n.balign 4\n.long 5, %zu, %d\n.asciz \"Omen\"\n.balign 4\n",
	        sizeof(OMEN_HOOKS), OMEN_NOTE_TYPE);
	fprintf(f, ".asciz \"%s\"\n.balign 4\n.section .note.GNU-stack,\"\",@progbits\n", OMEN_HOOKS);
	if (fclose(f))
		fail("cannot write %s: %s", path, strerror(errno));
	return path;
}

static void link_all(const struct command *c)
{
	struct list args = {0};
	bool tsan = false;

	list_add(&args, paths.clang);
	list_add(&args, "-Qunused-arguments");
	if (!c->no_runtime)
		add_runtime(&args, c);
	for (size_t i = 0; i < c->n; i++) {
		const struct argument *a = &c->at[i];
		if (is_compiled(a)) {
			const char *object = temporary_file(".o");
			compile(c, a, object);
			list_add(&args, object);
		} else if (a->input == OBJECT || a->role & LINK) {
			tsan |= a->input == OBJECT && calls_tsan(a->text);
			list_add(&args, a->text);
			if (a->value)
				list_add(&args, a->value);
		}
	}
	if (tsan)
		list_add(&args, note_source());
	if (c->name)
		list_add_all(&args, (const char *[]){"-o", c->name, NULL});
	run_child(&args);
}

/* Runs clang on the user's command line. A command that reads sources must see in them what a compilation will see. */
static void become_clang(const struct command *c, const struct list *args)
{
	struct list words = {0};
	struct command ignored = {0};
	bool reads_sources = c->clang_only && c->inputs && strncmp(args->at[0], "-cc1", 4);

	list_add(&words, paths.clang);
	if (reads_sources) {
		list_add_all(&words, tolerant);
		add_features(&words, c);
		if (!c->asks_dependencies) /* our headers must not be among the dependencies */
			add_cxx_headers(&words, c);
		add_roles(&words, c, SANITIZE);
	}
	for (size_t i = 0; i < args->n; i++) {
		size_t dropped = reads_sources ? words_dropped(args, i) : 0;
		if (dropped)
			i += dropped - 1;
		else if (strcmp(args->at[i], "--as-optimised") &&
		         !(reads_sources && take_sanitize(&ignored, args->at[i])))
			list_add(&words, args->at[i]);
	}
	execvp(paths.clang, (char **)words.at);
	fail("cannot run %s: %s (is it installed?)", paths.clang, strerror(errno));
}

static bool is_for_clang(const struct command *c)
{
	if (c->clang_only || !c->inputs)
		return true;
	if (c->output == LINKED)
		return false;
	/* Nothing to compile, or several products for one name: clang has the right messages for both. */
	return !c->sources || (c->sources > 1 && c->name);
}

/* Fails if an input does not exist. clang would compile the other inputs first, and report the error twice. */
static void find_inputs(const struct command *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct argument *a = &c->at[i];
		if (!strcmp(a->text, "-working-directory"))
			return; /* names are relative to that directory */
		if ((is_compiled(a) || a->input == OBJECT) && strcmp(a->text, "-") && access(a->text, F_OK))
			fail("cannot find %s: %s", a->text, strerror(errno));
	}
}

static const char help[] =
        "omen-cc and omen-c++ are clang 19 with the hooks that Omen needs: use them in the place of gcc and clang.\n"
        "They take the options of both. Options that only gcc has are ignored where they change no meaning.\n"
        "\n"
        "What they add:\n"
        "  --as-optimised         instrument the program as the optimiser made it, not as the source says\n"
        "  -fsanitize=thread      is always on: __has_feature(thread_sanitizer) and __SANITIZE_THREAD__ hold;\n"
        "                         no_sanitize(\"thread\"), ignorelists and -fno-sanitize=thread keep their meaning\n"
        "  -D__OMEN__             is defined, and <omen.h> is found: omen_raced(), OMEN_INVARIANT()\n"
        "  libomen.so             is linked, and the program finds it where it is now\n"
        "What they leave out: link-time optimisation, coverage, split debug information, vectorising, and sanitizers\n"
        "with a runtime of their own (address, memory, leak, cfi). -static is an error.\n"
        "\n"
        "Everything else is clang's (omen-cc --help-hidden, clang-19 --help):\n"
        "\n";

static bool asks_for_help(const struct list *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (!strcmp(args->at[i], "--help") || !strcmp(args->at[i], "-help"))
			return true;
	return false;
}

static bool is_cxx(const char *name)
{
	size_t n = strlen(name);
	return n >= 2 && !strcmp(name + n - 2, "++");
}

int main(int argc, char **argv)
{
	bool has_cxx_option = argc > 1 && !strcmp(argv[1], "--omen-cxx");
	paths.clang = is_cxx(argv[0]) || has_cxx_option ? "clang++-19" : "clang-19";
	find_libdir();

	struct list args = expand_response_files(argc - 1 - has_cxx_option, argv + 1 + has_cxx_option);
	struct command c = parse_arguments(&args);
	if (asks_for_help(&args)) {
		fputs(help, stdout);
		fflush(stdout);
	} else {
		find_inputs(&c);
	}
	if (is_for_clang(&c))
		become_clang(&c, &args);
	if (c.output == LINKED && c.is_static)
		fail("cannot link a static program: Omen's runtime is a shared library (leave out -static)");

	make_temporary_directory();
	if (c.output == LINKED)
		link_all(&c);
	else
		compile_all(&c);
	return 0;
}
