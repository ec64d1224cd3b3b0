// SPDX-License-Identifier: GPL-2.0-only
/*
 * __words, for completion: given the words before the one that is being typed,
 * the words that fit there. It loads no module and says no error.
 */
#include <string.h>
#include <unistd.h>

#include "rxadm.h"

static void put_verbs(void)
{
	const struct rx_verb *verb;

	for (verb = rx_verbs; verb->name; verb++)
		if (!verb->hidden)
			puts(verb->name);
}

static void put_options(const struct rx_opt *opts)
{
	for (; opts && opts->name; opts++)
		printf("--%s\n", opts->name);
}

static void put_choices(const char *choices)
{
	for (; *choices; choices += *choices == '|') {
		for (; *choices && *choices != '|'; choices++)
			putchar(*choices);
		putchar('\n');
	}
}

static void put_names(enum rx_family family)
{
	struct rx_list list = { 0 };
	struct rx_err err;
	size_t i;

	/* Asking a family that is absent would load its module. */
	if (!replay_active() &&
	    access(sys_path("/sys/module/%s", model_family(family)), F_OK))
		return;
	if (!nl_list(family, &list, &err)) {
		for (i = 0; i < list.n_disks; i++)
			puts(list.disks[i].name);
		for (i = 0; i < list.n_caches; i++)
			puts(list.caches[i].name);
	}
	list_free(&list);
}

static void put_objects(const struct rx_verb *verb)
{
	if (strstr(verb->objects, "rxd"))
		put_names(RX_DISK);
	if (strstr(verb->objects, "rxc"))
		put_names(RX_CACHE);
	if (strstr(verb->objects, "disk|cache"))
		puts("disk\ncache");
	if (strstr(verb->objects, "VERB"))
		put_verbs();
	if (verb->run == cmd_up || verb->run == cmd_down)
		tab_put_names();
}

static const struct rx_opt *option(const struct rx_opt *opts, const char *word)
{
	for (; opts && opts->name; opts++)
		if ((!strncmp(word, "--", 2) && !strcmp(opts->name, word + 2)) ||
		    (word[0] == '-' && word[1] && word[1] == opts->letter &&
		     !word[2]))
			return opts;
	return NULL;
}

int cmd_words(const struct rx_verb *verb, const struct rx_args *args)
{
	const char *last = args->n_objects ?
		args->objects[args->n_objects - 1] : "";
	const struct rx_opt *opt;
	size_t i;

	verb = NULL;
	for (i = 0; i < args->n_objects && !verb; i++)
		verb = verb_find(args->objects[i]);
	opt = verb ? option(verb->opts, last) : NULL;
	if (!opt)
		opt = option(rx_global_opts, last);
	if (opt && opt->type != OPT_FLAG) {
		if (opt->letter == 'o')
			out_columns_names(stdout);
		else if (opt->type == OPT_CHOICE || opt->type == OPT_BYTES)
			put_choices(opt->arg);
		return RX_OK;
	}
	if (!verb) {
		put_verbs();
	} else {
		put_options(verb->opts);
		put_objects(verb);
	}
	put_options(rx_global_opts);
	return RX_OK;
}
