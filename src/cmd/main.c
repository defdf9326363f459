/* The first word of the command line. Each sub-command has a file of its own. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "abi/hooks.h"
#include "run/standard_streams.h"

static const struct command {
	const char *name, *operands, *purpose;
	enum command_bit bit;
	int (*run)(const struct options *o, int argc, char **argv);
	const char *exec; /* instead of run: the program next to this one that does it */
} commands[] = {
        {"cc", "ARGS", "compile C for Omen; takes the arguments of clang and gcc (also: omen-cc)", 0, NULL, "omen-cc"},
        {"c++", "ARGS", "compile C++ for Omen (also: omen-c++)", 0, NULL, "omen-c++"},
        {"record", "[OPTIONS] -- PROG ARGS", "run the program once under control and keep a recording of it",
         CMD_RECORD, cmd_record, NULL},
        {"explore", "[OPTIONS] -- PROG ARGS", "run the program many times, each time with another schedule",
         CMD_EXPLORE, cmd_explore, NULL},
        {"triage", "[OPTIONS] -- PROG ARGS | --resume",
         "record the program, find its races, and say what each of them does", CMD_TRIAGE, cmd_triage, NULL},
        {"predict", "[OPTIONS] TRACE|RECORDING|-- PROG ARGS", "find races that other schedules of an execution have",
         CMD_PREDICT, cmd_predict, NULL},
        {"replay", "[OPTIONS] EVIDENCE", "run the execution of an evidence again, exactly", CMD_REPLAY, cmd_replay,
         NULL},
        {"report", "[OPTIONS] EVIDENCE", "print the report of an evidence again, or write its timeline", CMD_REPORT,
         cmd_report, NULL},
};

#define COMMANDS_END (commands + sizeof commands / sizeof commands[0])

int complain(int status, const struct error *e)
{
	line_begin(stderr);
	fprintf(stderr, "omen: %s\n", e->text);
	return status;
}

static int help(void)
{
	puts("usage: omen COMMAND …\n");
	for (const struct command *c = commands; c < COMMANDS_END; c++)
		printf("  %-8s %s\n", c->name, c->purpose);
	puts("\nomen COMMAND --help lists the options of a command; omen --version prints the version.\n"
	     "Exit status: 0 nothing found, 66 something found, 2 wrong use, 1 Omen failed, 130 interrupted;\n"
	     "record and triage pass on the exit status of the program.");
	return EXIT_NOTHING;
}

static int command_help(const struct command *c)
{
	printf("usage: omen %s %s\n%s\n\n", c->name, c->operands, c->purpose);
	options_help(c->bit, stdout);
	return EXIT_NOTHING;
}

/* `omen cc` is the omen-cc in the directory of this executable, wherever that is installed. */
static int run_neighbour(const char *name, char **argv)
{
	char path[PATH_MAX + 16];
	struct error e;
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n < 0) {
		error_set(&e, "cannot find %s: readlink /proc/self/exe: %s; is /proc mounted?", name, strerror(errno));
		return complain(EXIT_OMEN, &e);
	}
	path[n] = 0;
	strcpy(strrchr(path, '/') + 1, name);
	argv[0] = path;
	execv(path, argv);
	error_set(&e, "cannot start %s: %s; install it next to omen", path, strerror(errno));
	return complain(EXIT_OMEN, &e);
}

static int run_command(const struct command *c, int argc, char **argv)
{
	struct options o;
	struct error e;

	if (c->exec)
		return run_neighbour(c->exec, argv);
	argc--;
	argv++;
	if (!options_parse(c->bit, &argc, argv, &o, &e)) {
		strncat(e.text, "; see omen ", sizeof e.text - strlen(e.text) - 1);
		strncat(e.text, c->name, sizeof e.text - strlen(e.text) - 1);
		strncat(e.text, " --help", sizeof e.text - strlen(e.text) - 1);
		return complain(EXIT_USE, &e);
	}
	if (o.help)
		return command_help(c);
	if (!argc && !o.resume) {
		error_set(&e, "nothing to %s: usage: omen %s %s", c->name, c->name, c->operands);
		return complain(EXIT_USE, &e);
	}
	return c->run(&o, argc, argv);
}

/* If omen is started with a standard descriptor closed, no board or socket may get its number. */
static void fill_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

static int dispatch(int argc, char **argv)
{
	struct error e;

	if (argc < 2) {
		error_set(&e, "a command is missing; see omen --help");
		return complain(EXIT_USE, &e);
	}
	if (!strcmp(argv[1], "--version"))
		return puts("omen " OMEN_VERSION) < 0 ? EXIT_OMEN : EXIT_NOTHING;
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help();
	for (const struct command *c = commands; c < COMMANDS_END; c++)
		if (!strcmp(argv[1], c->name))
			return run_command(c, argc - 1, argv + 1);
	error_set(&e, "unknown %s %s; see omen --help", argv[1][0] == '-' ? "option" : "command", argv[1]);
	return complain(EXIT_USE, &e);
}

int main(int argc, char **argv)
{
	struct error e;

	fill_standard_descriptors();
	/* If the reader of our output goes away, that is an error to report, and no reason to abandon workers. */
	if (argc < 2 || (strcmp(argv[1], "cc") && strcmp(argv[1], "c++")))
		signal(SIGPIPE, SIG_IGN);
	int status = dispatch(argc, argv);
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	error_set(&e, "cannot write to standard output: %s", strerror(errno));
	return complain(EXIT_OMEN, &e);
}
