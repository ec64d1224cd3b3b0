// SPDX-License-Identifier: GPL-2.0-only
/* The program: it runs the verb of the command line and closes the output. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "export/exported.h"
#include "export/nvmet.h"
#include "image/mark.h"
#include "kernel/hooks.h"
#include "kernel/replay.h"
#include "run/dryrun.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "warm/loader.h"
#include "warm/state.h"
#include "help.h"
#include "legacy.h"

const struct rx_hooks hooks = {
	.tell_users = export_users, .resized = nvmet_resized, .disk_gone = image_forget,
	.cache_gone = warm_state_remove, .complete = warm_state_add,
	.opener_runs = warm_loader_runs, .opener_stop = warm_loader_stop,
};

/*
 * An error in the command line is told as JSON, too, if it has --json anywhere. The words
 * are read as completion reads them, because something is wrong with them.
 */
static void find_json(int argc, char **argv, int at, const struct rx_verb *verb)
{
	static const struct rx_verb none = { .name = "" };
	struct rx_args line = { .verb = verb ? verb : &none, .lenient = true };

	args_parse(argc, argv, at, &line);
	rx.json |= args_has(&line, "json") || args_has(&line, "pretty");
	rx.pretty |= args_has(&line, "pretty");
	free(line.objects);
}

/* Refuses -o for a verb that shows no columns. The others check its words, here or later. */
static int check_columns(const struct rx_verb *verb)
{
	enum rx_shows shows = verb->shows;

	if (!rx.columns || shows == SHOWS_TABLE)
		return RX_OK;
	if (shows == SHOWS_JSON && rx.json)
		return out_columns_valid(views_list, ARRAY_SIZE(views_list)) ? RX_OK : RX_USAGE;
	return usage_error("%s: --output chooses columns, and %s", verb->name,
			   shows == SHOWS_JSON ? "only its JSON has them; add --json" :
			   "it shows none; leave it out");
}

static int run(int argc, char **argv)
{
	struct rx_args args = { 0 };
	bool listed = false, columns;
	int at, ret;

	ret = legacy_rewrite(&argc, &argv);
	if (ret) {
		find_json(argc - 1, argv + 1, 0, NULL);
		return ret;
	}
	argc--;
	argv++;
	at = args_verb(argc, argv);
	args.verb = verb_find(at < argc ? argv[at] : "list");
	if (!args.verb) {
		find_json(argc, argv, at, NULL);
		return no_verb(argc - at, argv + at);
	}
	if (args.verb->shows == HIDDEN) {
		/*
		 * A hidden verb reads its words itself: those of __words are an
		 * unfinished command line.
		 */
		args.objects = (const char **)argv + at + 1;
		args.n_objects = argc - at - 1;
		return args.verb->run(&args);
	}
	listed = at == argc;
	ret = args_parse(argc, argv, at, &args);
	if (ret)
		find_json(argc, argv, at, args.verb);
	else if (!rx.json)
		said_forget();
	columns = args_ask_columns(&args) && args.verb->shows != SHOWS_NONE;
	if (!ret && !args_has(&args, "version") && !args_has(&args, "help") && !columns)
		ret = check_columns(args.verb);
	if (!ret) {
		if (args_has(&args, "version"))
			ret = cmd_version(&args);
		else if (args_has(&args, "help") && listed)
			ret = cmd_help(&args);
		else if (args_has(&args, "help"))
			help_verb(args.verb);
		else if (columns)
			help_columns(args.verb);
		else
			ret = args.verb->run(&args);
	}
	free(args.objects);
	return ret;
}

/* Lost output is an error, unless the reader closed the pipe. */
static int close_stdout(int status)
{
	/* A closed standard output loses nothing if nothing was written. */
	if (out_flush() && fclose(stdout) && errno != EBADF)
		rx.out_errno = errno;
	if (!rx.out_errno || rx.out_errno == EPIPE)
		return status;
	say(NULL, NULL, "can't write the output: %s", strerror(rx.out_errno));
	return status ? status : RX_DATA;
}

/* A socket must never get the number of standard output. */
static void open_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

int main(int argc, char **argv)
{
	int status;

	open_standard_files();

	setlocale(LC_ALL, "");
	/* Numbers in JSON and in tables have a decimal point in every locale. */
	setlocale(LC_NUMERIC, "C");
	signal(SIGPIPE, SIG_IGN);
	/* Nobody could wait for a program if a parent of ours ignores this one. */
	signal(SIGCHLD, SIG_DFL);
	status = run(argc, argv);
	req_show_end(status);
	out_json_end(status);
	status = close_stdout(status);
	if (replay())
		status = replay()->finish(status);
	return status;
}
