// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads options and objects. Everything is checked here or by the verb before anything is
 * sent. Words are matched exactly, with a hint for a near miss.
 */
#include <string.h>

#include "args/args.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/wait.h"
#include "kernel/name.h"
#include "kernel/request.h"
#include "run/fetch.h"
#include "run/run.h"

#define OPT_LEVEL_DEFAULT	"3"

const struct rx_opt rx_global_opts[] = {
	{ "json", 'j', OPT_FLAG, NULL, "print JSON with raw numbers; see rxadm-json(5)" },
	{ "pretty", 'p', OPT_FLAG, NULL, "print indented JSON; implies --json" },
	{ "bytes", 'b', OPT_FLAG, NULL, "print sizes in bytes" },
	{ "noheadings", 'n', OPT_FLAG, NULL, "print no headings" },
	{ "raw", 'r', OPT_FLAG, NULL,
	  "print columns with one space between them" },
	{ "output", 'o', OPT_TEXT, "COL[,COL]|+COL",
	  "choose the columns, or add some with +; help lists them" },
	{ "quiet", 'q', OPT_FLAG, NULL, "print only errors" },
	{ "color", 0, OPT_WHEN, "auto|always|never",
	  "mark trouble in red; auto, which is the default, does so on a terminal" },
	{ "dry-run", 0, OPT_FLAG, NULL, "check with the kernel and say what would be done; change nothing" },
	{ "help", 'h', OPT_FLAG, NULL, "explain the verb" },
	{ "version", 'V', OPT_FLAG, NULL, "print the version" },
	{ .name = NULL }
};

static const struct rx_opt *find(const struct rx_opt *opts, const char *name,
				 size_t len, char letter)
{
	for (; opts && opts->name; opts++)
		if (letter ? opts->letter == letter :
		    !strncmp(opts->name, name, len) && !opts->name[len])
			return opts;
	return NULL;
}

/* Tells whether the option may come without its value. */
bool opt_may_lack(const struct rx_opt *opt)
{
	return opt->type == OPT_WHEN || opt->type == OPT_LEVEL;
}

static int unknown(const struct rx_args *args, const char *arg)
{
	const struct rx_verb *verb = args->verb;
	const char *names[64], *near;
	const struct rx_opt *opt;
	size_t n = 0;

	if (args->lenient)
		return RX_OK;
	for (opt = verb->opts; opt && opt->name; opt++)
		names[n++] = opt->name;
	for (opt = rx_global_opts; opt->name; opt++)
		names[n++] = opt->name;
	near = arg[1] == '-' ? nearest(arg + 2, names, n) : NULL;
	if (near)
		return usage_error("%s: no option '%s'; did you mean '--%s'? (rxadm help %s)",
				   verb->name, arg, near, verb->name);
	return usage_error("%s: no option '%s'; see: rxadm help %s",
			   verb->name, arg, verb->name);
}

static int add_value(struct rx_args *args, const struct rx_opt *opt,
		     const char *arg, const char *text)
{
	struct rx_value value = { .opt = opt, .text = text,
				  .num = opt->type == OPT_FLAG ? 1 : RX_NONE };
	const char *verb = args->verb->name;
	char why[256];

	if (args->lenient) {
		args->pending = opt->type != OPT_FLAG && (text ? !*text : !opt_may_lack(opt)) ?
				opt : NULL;
		if (args->n_values < ARRAY_SIZE(args->values))
			args->values[args->n_values++] = value;
		return RX_OK;
	}
	if (opt_may_lack(opt) && !text)
		value.text = opt->type == OPT_WHEN ? "always" : OPT_LEVEL_DEFAULT;
	else if (opt->type != OPT_FLAG && !text)
		return usage_error("%s: option '%s' needs a value: --%s %s",
				   verb, arg, opt->name, opt->arg);
	if (opt->type == OPT_FLAG && text)
		return usage_error("%s: option '--%s' takes no value", verb,
				   opt->name);
	if (!value_parse(&value, why, sizeof(why)))
		return usage_error("%s: %s", verb, why);
	if (opt->type != OPT_SIZES && opt->type != OPT_TEXTS && args_has(args, opt->name))
		return usage_error("%s: option '--%s' is given twice", verb,
				   opt->name);
	if (args->n_values == ARRAY_SIZE(args->values))
		return usage_error("%s: too many options", verb);
	args->values[args->n_values++] = value;
	return RX_OK;
}

/* Reads --name, --name value or --name=value at ARGV[*I]. */
static int long_option(struct rx_args *args, int argc, char **argv, int *i)
{
	const char *arg = argv[*i], *eq = strchr(arg, '='), *text = NULL;
	size_t len = eq ? (size_t)(eq - arg - 2) : strlen(arg + 2);
	const struct rx_opt *opt = find(args->verb->opts, arg + 2, len, 0);

	if (!opt)
		opt = find(rx_global_opts, arg + 2, len, 0);
	if (!opt)
		return unknown(args, arg);
	if (eq)
		text = eq + 1;
	else if (opt->type != OPT_FLAG && !opt_may_lack(opt) && *i + 1 < argc)
		text = argv[++*i];
	return add_value(args, opt, arg, text);
}

/* Reads -x, -xy, -o value or -ovalue. */
static int short_options(struct rx_args *args, int argc, char **argv, int *i)
{
	const char *arg = argv[*i], *p, *text;
	const struct rx_opt *opt;
	int ret;

	for (p = arg + 1; *p; p++) {
		opt = find(args->verb->opts, NULL, 0, *p);
		if (!opt)
			opt = find(rx_global_opts, NULL, 0, *p);
		if (!opt)
			return unknown(args, arg);
		text = NULL;
		if (opt->type != OPT_FLAG) {
			if (p[1])
				text = p + 1;
			else if (*i + 1 < argc)
				text = argv[++*i];
		}
		ret = add_value(args, opt, arg, text);
		if (ret || text)
			return ret;
	}
	return RX_OK;
}

/*
 * Checks the PAIRS "a b,c d". With NEEDS, a needs b; otherwise a and b exclude each
 * other.
 */
static int check_pairs(const struct rx_args *args, const char *pairs,
		       bool needs)
{
	char a[32], b[32];
	const char *p;

	for (p = pairs; p && sscanf(p, "%31[^ ,] %31[^ ,]", a, b) == 2;
	     p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		if (needs && args_has(args, a) && !args_has(args, b))
			return usage_error("%s: --%s needs --%s too",
					   args->verb->name, a, b);
		if (!needs && args_has(args, a) && args_has(args, b))
			return usage_error("%s: --%s and --%s exclude each other",
					   args->verb->name, a, b);
	}
	return RX_OK;
}

/* Whether TEXT is a name for what the verb makes, for which it has the option OPT. */
static bool names_new(const struct rx_opt *opt, const char *text, char *name)
{
	enum rx_family family;

	return name_parse(text, &family, name) && !strncmp(name, opt->arg, 3);
}

/*
 * Tells whether the last object, or the first, is the name of what the verb makes, which has
 * an option, and says so.
 */
bool args_name_object(const struct rx_args *args)
{
	const struct rx_opt *opt = find(args->verb->opts, "name", strlen("name"), 0);
	char name[RX_NAME_LEN];
	struct rx_strv words = { 0 };
	size_t i, at = args->n_objects - 1;

	/* Of restore, it is the disk that is there. */
	if (!opt || find(args->verb->opts, "attach", strlen("attach"), 0))
		return false;
	if (!names_new(opt, args->objects[at], name))
		at = 0;
	if (!names_new(opt, args->objects[at], name))
		return false;
	if (args->n_values) {
		usage_error("%s: the name of the new one is an option; say: --name %s",
			    args->verb->name, name);
		return true;
	}
	for (i = 0; i < args->n_objects; i++)
		if (i != at)
			strv_add(&words, args->objects[i]);
	usage_error("%s: the name of the new one is an option; say: rxadm %s %s --name %s",
		    args->verb->name, args->verb->name, quoted_all(&words), name);
	strv_free(&words);
	return true;
}

static int check(const struct rx_args *args)
{
	const struct rx_verb *verb = args->verb;
	int ret;

	if (args_has(args, "help") || args_has(args, "version") || args_ask_columns(args))
		return RX_OK;
	if (args->n_objects < verb->min)
		return usage_error("%s: %s missing; say: rxadm %s %s",
				   verb->name, args->n_objects ? "one more is" :
				   "the object is", verb->name, verb->objects);
	if (args->n_objects > verb->max)
		return args_name_object(args) ? RX_USAGE : usage_error("%s: '%s' is one too many; say: rxadm %s%s%s",
				   verb->name, args->objects[verb->max],
				   verb->name, *verb->objects ? " " : "", verb->objects);
	ret = check_pairs(args, verb->exclusive, false);
	return ret ? ret : check_pairs(args, verb->needs, true);
}

/*
 * Returns the index of the verb, or ARGC if there is none. The verb is the first word
 * that is neither an option nor an option's value. An option that not every verb has ends
 * the search, because the word after it may be its value.
 */
int args_verb(int argc, char **argv)
{
	const struct rx_opt *opt;
	const char *arg;
	bool known;
	int i;

	for (i = 0; i < argc; i++) {
		arg = argv[i];
		if (*arg != '-' || !arg[1])
			return i;
		known = arg[1] != '-' || strchr(arg, '=');
		for (opt = rx_global_opts; opt->name; opt++) {
			if (arg[1] == '-' ? strcmp(arg + 2, opt->name) :
			    arg[strlen(arg) - 1] != opt->letter)
				continue;
			known = true;
			i += opt->type != OPT_FLAG && !opt_may_lack(opt);
		}
		if (!known)
			break;
	}
	return argc;
}

static void set_globals(const struct rx_args *args)
{
	rx.json |= args_has(args, "json") || args_has(args, "pretty");
	rx.pretty |= args_has(args, "pretty");
	rx.bytes |= args_has(args, "bytes");
	rx.noheadings |= args_has(args, "noheadings");
	rx.raw |= args_has(args, "raw");
	rx.quiet |= args_has(args, "quiet");
	rx.dry_run |= args_has(args, "dry-run");
	if (args_has(args, "color"))
		rx.color = args_num(args, "color", RX_COLOR_AUTO);
	if (args_has(args, "output"))
		rx.columns = args_text(args, "output");
}

/* Reads all words of ARGV except word AT: the verb, which args->verb has already. */
int args_parse(int argc, char **argv, int at, struct rx_args *args)
{
	int i, ret = RX_OK;

	args->objects = mem_zero(argc + 1, sizeof(*args->objects));
	for (i = 0; i < argc && !ret; i++) {
		if (i == at)
			continue;
		if (args->plain || argv[i][0] != '-' || !argv[i][1])
			args->objects[args->n_objects++] = argv[i];
		else if (!strcmp(argv[i], "--"))
			args->plain = true;
		else if (argv[i][1] == '-')
			ret = long_option(args, argc, argv, &i);
		else
			ret = short_options(args, argc, argv, &i);
	}
	if (ret || args->lenient)
		return ret;
	set_globals(args);
	return check(args);
}

static const struct rx_value *value_of(const struct rx_args *args,
				       const char *name)
{
	size_t i;

	for (i = 0; i < args->n_values; i++)
		if (!strcmp(args->values[i].opt->name, name))
			return &args->values[i];
	return NULL;
}

bool args_has(const struct rx_args *args, const char *name)
{
	return value_of(args, name);
}

const char *args_text(const struct rx_args *args, const char *name)
{
	const struct rx_value *value = value_of(args, name);

	return value ? value->text : NULL;
}

/* Tells whether "-o help" asks which columns there are. */
bool args_ask_columns(const struct rx_args *args)
{
	const char *columns = args_text(args, "output");

	return columns && !strcmp(columns, "help");
}

/* Adds all values of an option that may be given more than once. */
void args_texts(const struct rx_args *args, const char *name, struct rx_strv *texts)
{
	size_t i;

	for (i = 0; i < args->n_values; i++)
		if (!strcmp(args->values[i].opt->name, name))
			strv_add(texts, args->values[i].text);
}

uint64_t args_num(const struct rx_args *args, const char *name, uint64_t none)
{
	const struct rx_value *value = value_of(args, name);

	return value ? value->num : none;
}

void args_put(const struct rx_args *args, struct rx_req *req)
{
	size_t i;

	for (i = 0; i < args->n_values; i++)
		if (strcmp(args->values[i].opt->name, "size"))
			req_value(req, &args->values[i]);
}

/* Refuses --quiet for a verb that does nothing but show something. */
int args_quiet(const struct rx_args *args)
{
	return usage_error("%s: --quiet leaves nothing to show; leave it out",
			   args->verb->name);
}

struct rx_objects args_objects(const struct rx_args *args)
{
	return (struct rx_objects){
		.verb = args->verb->name, .v = args->objects, .n = args->n_objects,
	};
}

/* Checks the name for a new object. */
bool new_name_ok(const struct rx_args *args, enum rx_family family)
{
	const char *text = args_text(args, "name");

	if (!text || name_is_new(text, family))
		return true;
	usage_error("%s: '%s' is no name for it; say for example --name %s0",
		    args->verb->name, text, family == RX_DISK ? "rxd" : "rxc");
	return false;
}

long args_wait(const struct rx_args *args)
{
	uint64_t ns = args_num(args, "wait", RX_NONE);

	if (ns == RX_NONE)
		return WAIT_DEFAULT;
	return ns / 1000000 > 1000000000 ? 1000000000 : (long)(ns / 1000000);
}

const struct rx_verb *verb_find(const char *name)
{
	const struct rx_verb *verb;

	for (verb = rx_verbs; verb->name; verb++)
		if (!strcmp(verb->name, name))
			return verb;
	return NULL;
}

/*
 * Calls ONE for each object that the verb was given, once all of them are known to be of
 * FAMILY. Lists the objects that were added to DONE.
 */
int verb_each(const struct rx_args *args, enum rx_family family,
	      int (*one)(const struct rx_args *args, const char *name,
			 struct rx_list *done))
{
	const char *verb = args->verb->name;
	struct rx_list done = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb, args->objects[i], family, name))
			return RX_USAGE;
	for (i = 0; i < args->n_objects; i++) {
		object_is(verb, args->objects[i], family, name);
		tally(&t, one(args, name, &done));
	}
	out_result(&done);
	list_free(&done);
	return tally_exit(&t);
}
