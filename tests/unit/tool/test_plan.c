// SPDX-License-Identifier: GPL-2.0-only
/*
 * What up and down do about a line of the table: for each state of what is there, the
 * commands. And wherever a run is killed, the next one comes to the same end.
 */
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/units.h"
#include "kernel/object.h"
#include "rx_test.h"
#include "table/load.h"
#include "table/table.h"
#include "up/plan.h"

#define O	"/dev/disk/by-id/hdd"
#define D	"rxd0 disk size=1G\n"
#define DI	"rxd0 disk size=1G,image=/i/d\n"
#define HOST	"nqn.2024-01.com.example:h"
#define DE	"rxd0 disk size=1G,export=tcp:192.0.2.1,host=" HOST "\n"
#define DIE	"rxd0 disk size=1G,image=/i/d,export=tcp,any-host\n"
#define C	"rxd0 disk size=1G\nrxc0 cache disk=rxd0,origin=" O
#define OWN	"rxc0 cache size=1G,origin=" O
#define EXPORT	"export rxd0 --transport tcp --addr 192.0.2.1 --host " HOST
#define EXPORT_ANY "export rxd0 --transport tcp --addr 127.0.0.1 --any-host"
#define ATTACH	"attach 1G --name rxd0"
#define ATTACH_I ATTACH " --awaits-image"
#define RESTORE	"restore /i/d rxd0"
#define NEW	RESTORE " (else detach rxd0)"
#define SAVE	"save rxd0 /i/d --freeze"
#define MAP	"map rxd0 " O " --name rxc0 (else unmap rxc0)"
#define MAP_OWN	"map " O " --name rxc0 --size 1G (else unmap rxc0)"

/*
 * A state is words: "there", "key=value" of the disk or cache, and flags. A wanted plan is
 * its commands, separated by "; ", and after a "!" what is refused.
 */
static const struct row {
	const char *verb, *table, *state, *want;
} rows[] = {
	/* A disk. */
	{ "up", D, "", ATTACH },
	{ "up", D, "there", "" },
	{ "up", D, "there size=512M", "resize rxd0 1G" },
	{ "up", D, "there size=512M holder=rxc3", "set rxc3 --size 1G" },
	{ "up", D, "there size=2G holder=rxc3", "set rxc3 --size 1G" },
	{ "up", D, "there differs", "!x" },
	{ "up", D, "there state=detaching", "!is still being detached" },
	{ "up", D, "there state=preparing size=512M", "!is still taking its memory, growing or being zeroed" },
	{ "up", "rxd0 disk size=1G,limit=512M\n", "there", "set rxd0 --limit 512M" },
	{ "up", "rxd0 disk size=1G,limit=512M\n", "there limit=512M", "" },
	{ "up", "rxd0 disk size=1G,limit=512M\n", "there limit=none", "" },
	{ "up", D, "there limit=512M size=512M", "set rxd0 --limit 0B; resize rxd0 1G" },
	{ "up", "rxd0 disk size=1G,queues=2,block=4K,prealloc,numa=0\n", "",
	  "attach 1G --name rxd0 --queues 2 --block 4K --numa 0 --prealloc" },
	{ "down", D, "", "" },
	{ "down", D, "there", "detach rxd0" },
	{ "down", D, "there differs", "detach rxd0" },

	/* A disk with an image. */
	{ "up", DI, "", ATTACH },
	{ "up", DI, "image", ATTACH_I "; " NEW },
	{ "up", DI, "image awaited", ATTACH_I "; " NEW },
	{ "up", DI, "image=unmounted", "!/m is not mounted, and its image /i/d lies there" },
	{ "up", DI, "image=no-dir", "!the directory /m of its image is missing" },
	{ "up", DI, "image=unknown", "!its image /i/d: /m" },
	{ "up", DI, "there", "" },
	{ "up", DI, "there used", "" },
	{ "up", DI, "there marked", "" },
	{ "up", DI, "there image", RESTORE },
	{ "up", DI, "there image marked used", "" },
	{ "up", DI, "there image used", "!holds data that did not come from its image /i/d, so neither is replaced" },
	{ "up", DI, "there image used awaited", RESTORE },
	{ "up", DI, "there image awaited size=512M", "resize rxd0 1G; " RESTORE },
	{ "up", DI, "there image marked awaited used", RESTORE },
	{ "up", DI, "there awaited", "!was to have the image /i/d, which is not there any more; the disk may have a part of it" },
	{ "up", DI, "there image=unmounted", "!/m is not mounted, and its image /i/d lies there" },
	{ "up", DI, "there marked image=unmounted", "" },
	{ "up", DI, "there image marked size=512M", "resize rxd0 1G; " SAVE },
	{ "up", DI, "there marked size=512M image=no-dir", "resize rxd0 1G !the directory /m of its image is missing" },
	{ "up", DI, "there image used size=512M",
	  "resize rxd0 1G !holds data that did not come from its image /i/d, so neither is replaced" },
	{ "down", DI, "there", SAVE "; detach rxd0" },
	{ "down", DI, "there image marked", SAVE "; detach rxd0" },
	{ "down", DI, "there image", "!does not have the content of its image /i/d, so it is not saved over that" },
	{ "down", DI, "there image marked awaited", "!does not have the content of its image /i/d, so it is not saved over that" },
	{ "down", DI, "there awaited", "!does not have the content of its image /i/d, so it is not saved over that" },
	{ "down", DI, "there marked image=unmounted", "!/m is not mounted, and its image /i/d lies there" },
	{ "down", DI, "image", "" },
	{ "down --no-save", DI, "there image used", "detach rxd0" },
	{ "down", "rxd0 disk sice=1G,image=/i/d\n", "there image",
	  "!its line has an error, so it is not saved to its image" },
	{ "save", DI, "", "" },
	{ "save", DI, "there", SAVE },
	{ "save", DI, "there image marked", SAVE },
	{ "save", DI, "there image", "!does not have the content of its image /i/d, so it is not saved over that" },

	/* An export. */
	{ "up", DE, "", ATTACH "; " EXPORT },
	{ "up", DE, "there", EXPORT },
	{ "up --no-export", DE, "there", "" },
	{ "up", DE, "there export=whole", "" },
	{ "up", DE, "there export=half", EXPORT },
	{ "up", DE, "there export=broken", "unexport rxd0; " EXPORT },
	{ "up", DE, "there export=left", EXPORT },
	{ "up", DE, "there export=whole export-differs", "!y" },
	{ "up", DE, "there export=half export-differs size=512M", "resize rxd0 1G !y" },
	{ "up", DE, "there differs", "!x" },
	{ "up", "rxd0 disk size=1G,export=loop,any-host\n", "there", "export rxd0 --transport loop --any-host" },
	{ "up", D, "there export=whole", "" },
	{ "up", DIE, "image", ATTACH_I "; " NEW "; " EXPORT_ANY },
	{ "up", DIE, "there image marked export=whole size=512M", "resize rxd0 1G" },
	{ "up", DIE, "there image marked export=broken size=512M",
	  "resize rxd0 1G; " SAVE "; unexport rxd0; " EXPORT_ANY },
	{ "up", DIE, "there image used", "!holds data that did not come from its image /i/d, so neither is replaced" },
	{ "down", D, "there export=whole", "unexport rxd0; detach rxd0" },
	{ "down", D, "export=left", "unexport rxd0" },
	{ "down", DIE, "there image marked export=half", "unexport rxd0; " SAVE "; detach rxd0" },
	{ "down", DIE, "there image export=half",
	  "unexport rxd0 !does not have the content of its image /i/d, so it is not saved over that" },

	/* A cache on a disk of another line. */
	{ "up", C "\n", "", MAP },
	{ "up", C ",timeout=1,block=16K,mode=around,no-write-allocate,floor=1M,warm\n", "",
	  "map rxd0 " O " --name rxc0 --block 16K --mode around --no-write-allocate --floor 1M --warm (else unmap rxc0)" },
	{ "up", C "\n", "origin=2", "!origin " O " missing" },
	{ "up", C "\n", "origin=15", "!origin " O " is no block device" },
	{ "up", C "\n", "origin=13", "!origin " O ": Permission denied" },
	{ "up", C "\n", "there", "" },
	{ "up", C "\n", "there differs", "!x" },
	{ "up", C "\n", "there status=starting", "!is starting" },
	{ "up", C "\n", "there status=draining", "!is draining" },
	{ "up", C "\n", "there status=failed", "!is failed" },
	{ "up", C "\n", "there status=dead", "unmap rxc0; " MAP },
	{ "up", C "\n", "there status=dead origin=2", "!origin " O " missing" },
	{ "up", C "\n", "there status=mismatch",
	  "!is bypassed since its verification found blocks that differ from the origin" },
	{ "up", C ",mode=around,no-write-allocate,floor=1M\n", "there",
	  "set rxc0 --mode around --write-allocate no --floor 1M" },
	{ "up", C "\n", "there mode=1 allocate=0 ahead=1", "set rxc0 --mode through --write-allocate yes --read-ahead off" },
	{ "up", C ",floor=1049000B\n", "there floor=1048576", "" },
	{ "down", C "\n", "there", "unmap rxc0" },
	{ "down", C "\n", "", "" },
	{ "down", C ",warm\n", "there", "unmap rxc0 --save (unsaved unmap rxc0)" },
	{ "down --no-save", C ",warm\n", "there", "unmap rxc0" },

	/* Shares; the kernel shows them in bytes, and in percent if they were given so. */
	{ "up", C ",min-share=50%,max-share=768M\n", "there min=512M max=768M", "set rxc0 --min-share 50%" },
	{ "up", C ",min-share=50%,max-share=768M\n", "there min=512M min%=50 max=768M", "" },
	{ "up", C "\n", "there min=64M max=512M max%=50", "set rxc0 --min-share 0% --max-share 100%" },
	{ "up", C ",min-share=0%,max-share=100%\n", "there min=64M max=512M max%=50",
	  "set rxc0 --min-share 0% --max-share 100%" },
	{ "up", C "\n", "there shares=none", "" },
	{ "up", C ",min-share=10%\n", "there sent=min", "" },
	{ "lower", C ",min-share=40%\n", "there min=614M min%=60", "set rxc0 --min-share 40%" },
	{ "lower", C ",min-share=60%\n", "there min=409M min%=40", "" },
	{ "lower", C ",min-share=20%,max-share=30%\n", "there min=614M min%=60", "set rxc0 --min-share 20% --max-share 30%" },
	{ "lower", C ",min-share=20%\n", "there min=614M min%=60 status=mismatch", "" },
	{ "lower", C ",min-share=20%\n", "there min=614M min%=60 status=draining", "" },
	{ "lower", C ",min-share=20%\n", "there min=614M min%=60 differs", "" },
	{ "lower", C ",min-share=20%\n", "", "" },

	/* A cache with a disk of its own. */
	{ "up", OWN "\n", "", MAP_OWN },
	{ "up", OWN "\n", "there", "" },
	{ "up", OWN "\n", "there disk=2G", "set rxc0 --size 1G" },
	{ "up", OWN ",mode=around\n", "there disk=2G", "set rxc0 --size 1G --mode around" },
	{ "up", OWN ",min-share=512M\n", "there disk=2G size=2G min=1536M max=2G max%=100",
	  "set rxc0 --min-share 512M; set rxc0 --size 1G" },
	{ "up", OWN ",min-share=768M,max-share=90%\n", "there disk=512M size=512M min=128M max=512M max%=100",
	  "set rxc0 --size 1G; set rxc0 --min-share 768M --max-share 90%" },
	{ "up", OWN "\n", "there status=dead disk=2G", "unmap rxc0; " MAP_OWN },
};

static uint64_t number(const char *text)
{
	uint64_t n = strtoull(text, NULL, 10);

	return strchr(text, 'G') ? n << 30 : strchr(text, 'M') ? n << 20 : !strcmp(text, "none") ? RX_NONE : n;
}

/* Sets one word of a state. */
static void set_word(struct up_state *is, bool disk, const char *word)
{
	static const char *const images[] = { "", "image", "image=unmounted", "image=no-dir", "image=unknown" };
	static const char *const exports[] = { "", "export=left", "export=broken", "export=half", "export=whole" };
	static const struct { const char *word; uint64_t status, state; } statuses[] = {
		{ "status=starting", RX_STATE_STARTING, RX_STATE_STARTING },
		{ "status=draining", RX_STATE_DRAINING, RX_STATE_DRAINING },
		{ "status=failed", RX_STATE_FAILED, RX_STATE_FAILED },
		{ "status=dead", RX_STATE_DEAD, RX_STATE_DEAD },
		{ "status=mismatch", RX_STATUS_MISMATCH, RX_STATE_ACTIVE },
	};
	const struct { const char *key; uint64_t *at; } keys[] = {
		{ "size=", disk ? &is->disk.size : &is->cache.size }, { "disk=", &is->disk.size },
		{ "limit=", &is->disk.limit }, { "mode=", &is->cache.mode },
		{ "allocate=", &is->cache.write_allocate }, { "ahead=", &is->cache.read_ahead },
		{ "floor=", &is->cache.floor }, { "min=", &is->cache.min_share },
		{ "max=", &is->cache.max_share }, { "min%=", &is->cache.min_share_percent },
		{ "max%=", &is->cache.max_share_percent },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(images); i++)
		if (!strcmp(word, images[i]))
			is->image = (enum up_image)i;
	for (i = 0; i < ARRAY_SIZE(exports); i++)
		if (!strcmp(word, exports[i]))
			is->export = (enum up_export)i;
	for (i = 0; i < ARRAY_SIZE(statuses); i++)
		if (!strcmp(word, statuses[i].word)) {
			is->cache.status = statuses[i].status;
			is->cache.state = statuses[i].state;
		}
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strncmp(word, keys[i].key, strlen(keys[i].key)))
			*keys[i].at = number(word + strlen(keys[i].key));
	if (!strncmp(word, "max=", 4))
		is->cache.max_share_percent = RX_NONE;
	is->there |= !strcmp(word, "there");
	is->awaited |= !strcmp(word, "awaited");
	is->marked |= !strcmp(word, "marked");
	if (!strcmp(word, "used"))
		is->disk.used = 4096;
	if (!strcmp(word, "state=detaching"))
		is->disk.state = RX_DISK_DETACHING;
	if (!strcmp(word, "state=preparing"))
		is->disk.state = RX_DISK_PREPARING;
	if (!strncmp(word, "holder=", 7)) {
		snprintf(is->disk.holder, sizeof(is->disk.holder), "%s", word + 7);
		snprintf(is->holder, sizeof(is->holder), "%s", word + 7);
	}
	if (!strncmp(word, "origin=", 7))
		is->origin = atoi(word + 7);
	if (!strcmp(word, "shares=none"))
		is->cache.min_share = is->cache.max_share = is->cache.max_share_percent = RX_NONE;
	if (!strcmp(word, "sent=min"))
		is->sent = 1U << TAB_MIN_SHARE;
	if (!strcmp(word, "differs"))
		is->differs = mem_dup("x");
	if (!strcmp(word, "export-differs"))
		is->export_differs = mem_dup("y");
}

static void fresh(struct up_state *is, bool disk)
{
	is->disk.state = RX_DISK_ACTIVE;
	is->disk.used = 0;
	is->disk.limit = 0;
	*is->disk.holder = '\0';
	is->cache = (struct rx_cache){
		.state = RX_STATE_ACTIVE, .status = RX_STATE_ACTIVE, .size = 1 << 30, .block = 4096,
		.write_allocate = 1, .max_share = 1 << 30, .max_share_percent = 100,
		.min_share_percent = RX_NONE,
	};
	if (disk)
		is->disk.size = 1 << 30;
	else if (!is->disk.size)
		is->disk.size = 1 << 30;
}

static struct up_state state_of(const char *text, bool disk)
{
	struct up_state is = { .page = 4096, .place = mem_dup("/m"), .nqn = mem_dup("nqn") };
	char *copy = mem_dup(text), *rest = copy, *word;

	fresh(&is, disk);
	while ((word = strsep(&rest, " ")))
		set_word(&is, disk, word);
	free(copy);
	return is;
}

static void state_free(struct up_state *is)
{
	free(is->differs);
	free(is->place);
	free(is->nqn);
	free(is->export_differs);
}

static void plan(struct up_plan *plan, const char *verb, const struct tab_line *line,
		 const struct up_state *is)
{
	*plan = (struct up_plan){ 0 };
	if (!strncmp(verb, "up", 2))
		plan_up(plan, line, is, !strstr(verb, "--no-export"));
	else if (!strncmp(verb, "down", 4))
		plan_down(plan, line, is, !strstr(verb, "--no-save"));
	else if (!strcmp(verb, "save"))
		plan_save(plan, line, is);
	else
		plan_lower(plan, line, is);
}

static char *plan_text(const struct up_plan *plan)
{
	const struct up_cmd *cmd;
	char *text, *words;
	FILE *f = mem_open(&text);

	for (cmd = plan->cmds; cmd < plan->cmds + plan->n; cmd++) {
		words = strv_join(&cmd->words, " ");
		fprintf(f, "%s%s", cmd == plan->cmds ? "" : "; ", words);
		free(words);
		words = strv_join(cmd->undo.n ? &cmd->undo : &cmd->instead, " ");
		if (cmd->undo.n || cmd->instead.n)
			fprintf(f, " (%s %s)", cmd->undo.n ? "else" : "unsaved", words);
		free(words);
	}
	if (plan->what)
		fprintf(f, "%s!%s", plan->n ? " " : "", plan->what);
	mem_close(f);
	return text;
}

/* Does to the state what the command CMD does to the machine. */
static void apply(const struct up_cmd *cmd, const struct tab_line *line, struct up_state *is)
{
	char *all = strv_join(&cmd->words, " ");
	const char *verb = cmd->words.v[0];
	const struct rx_cache *cache = &is->cache;
	bool disk = line->family == RX_DISK;
	size_t i;

	if (!strcmp(verb, "attach") || !strcmp(verb, "map")) {
		is->disk.size = 0;
		fresh(is, disk);
		is->there = true;
		is->marked = false;
		is->awaited = strstr(all, "--awaits-image");
		is->disk.limit = line->text[TAB_LIMIT] ? line->num[TAB_LIMIT] : 0;
		is->cache.mode = line->num[TAB_MODE];
		is->cache.write_allocate = !line->text[TAB_NO_WRITE_ALLOCATE];
		is->cache.floor = line->num[TAB_FLOOR];
	} else if (!strcmp(verb, "detach") || !strcmp(verb, "unmap")) {
		is->there = is->awaited = is->marked = false;
	} else if (!strcmp(verb, "restore")) {
		is->awaited = false;
		is->marked = true;
		is->disk.used = 4096;
	} else if (!strcmp(verb, "save")) {
		is->image = IMAGE_THERE;
	} else if (!strcmp(verb, "resize")) {
		is->disk.size = 1 << 30;
	} else if (!strcmp(verb, "unexport")) {
		is->export = UP_EXPORT_NONE;
	} else if (!strcmp(verb, "export")) {
		is->export = UP_EXPORT_WHOLE;
	}
	for (i = 2; !strcmp(verb, "set") && i + 1 < cmd->words.n; i += 2) {
		const char *option = cmd->words.v[i], *value = cmd->words.v[i + 1];

		if (!strcmp(option, "--size"))
			is->disk.size = is->cache.size = 1 << 30;
		else if (!strcmp(option, "--limit"))
			is->disk.limit = line->text[TAB_LIMIT] ? line->num[TAB_LIMIT] : 0;
		else if (!strcmp(option, "--mode"))
			is->cache.mode = line->num[TAB_MODE];
		else if (!strcmp(option, "--write-allocate"))
			is->cache.write_allocate = !strcmp(value, "yes");
		else if (!strcmp(option, "--read-ahead"))
			is->cache.read_ahead = AHEAD_OFF;
		else if (!strcmp(option, "--floor"))
			is->cache.floor = line->num[TAB_FLOOR] / 4096 * 4096;
		else if (strchr(value, '%')) {
			is->cache.min_share_percent = strcmp(option, "--min-share") ? cache->min_share_percent : number(value);
			is->cache.max_share_percent = strcmp(option, "--max-share") ? cache->max_share_percent : number(value);
			if (!strcmp(option, "--min-share"))
				is->cache.min_share = cache->size / 4096 * number(value) / 100 * 4096;
			else
				is->cache.max_share = cache->size / 4096 * number(value) / 100 * 4096;
		} else if (!strcmp(option, "--min-share")) {
			is->cache.min_share = number(value);
			is->cache.min_share_percent = RX_NONE;
		} else {
			is->cache.max_share = number(value);
			is->cache.max_share_percent = RX_NONE;
		}
	}
	free(all);
}

/* Runs the plan up to command N, which is done and then killed before anything else. */
static void run(const struct up_plan *plan, size_t n, const struct tab_line *line, struct up_state *is)
{
	bool there = is->there;
	size_t i;

	is->marked |= there && plan->mark;
	for (i = 0; i < n; i++) {
		apply(&plan->cmds[i], line, is);
		is->marked |= plan->cmds[i].mark && i + 1 < n;
	}
	is->marked |= n == plan->n && !there && plan->mark;
}

/* After any number of commands, another run leads to where nothing is left to be done. */
static void check_kills(const struct row *row, const struct tab_line *line)
{
	struct up_plan first, second, last;
	struct up_state is;
	char *text;
	size_t n;

	for (n = 0; ; n++) {
		is = state_of(row->state, line->family == RX_DISK);
		plan(&first, row->verb, line, &is);
		if (n > first.n || first.what)
			break;
		run(&first, n, line, &is);
		plan(&second, row->verb, line, &is);
		run(&second, second.n, line, &is);
		plan(&last, row->verb, line, &is);
		text = plan_text(&last);
		check_str(text, "", "%s of '%s' killed after %zu of %zu commands", row->verb, row->state, n, first.n);
		free(text);
		plan_free(&first);
		plan_free(&second);
		plan_free(&last);
		state_free(&is);
	}
	plan_free(&first);
	state_free(&is);
}

static void check_row(const struct row *row)
{
	struct up_plan is_plan;
	struct up_state is;
	struct tab_line *line;
	struct rx_tab tab;
	char *text;

	tab_parse(&tab, "tab", row->table, strlen(row->table));
	line = tab_find(&tab, strstr(row->table, "rxc0") ? "rxc0" : "rxd0");
	is = state_of(row->state, line->family == RX_DISK);
	plan(&is_plan, row->verb, line, &is);
	text = plan_text(&is_plan);
	check_str(text, row->want, "%s %.60s: %s", row->verb, line->name, row->state);
	check(!is_plan.what == !is_plan.next, "what is wrong comes with what to do");
	free(text);
	plan_free(&is_plan);
	state_free(&is);
	if (strcmp(row->verb, "save") && !strstr(row->state, "sent="))
		check_kills(row, line);
	tab_free(&tab);
}

/* What a failed command leaves is told by the plan. */
static const struct {
	const char *verb, *table, *state;
	size_t nr;
	bool usable, timed, mark;
	const char *what;
} cmds[] = {
	{ "up", DIE, "image", 0, false, true, false, NULL },
	{ "up", DIE, "image", 1, false, false, true, "its image /i/d can't be restored, see above; the image stays as it is" },
	{ "up", DIE, "image", 2, true, false, false, NULL },
	{ "up", DI, "there image marked size=512M", 0, true, false, false, NULL },
	{ "up", DI, "there image marked size=512M", 1, true, false, false,
	  "was resized, and could not be saved to its image /i/d, see above" },
	{ "down", DI, "there", 0, false, false, false, "could not be saved to its image /i/d, see above" },
	{ "up", C "\n", "", 0, false, true, false, NULL },
};

static void check_cmd(size_t i)
{
	const struct up_cmd *cmd;
	struct up_plan is_plan;
	struct up_state is;
	struct tab_line *line;
	struct rx_tab tab;

	tab_parse(&tab, "tab", cmds[i].table, strlen(cmds[i].table));
	line = tab_find(&tab, strstr(cmds[i].table, "rxc0") ? "rxc0" : "rxd0");
	is = state_of(cmds[i].state, line->family == RX_DISK);
	plan(&is_plan, cmds[i].verb, line, &is);
	cmd = &is_plan.cmds[cmds[i].nr];
	check(cmds[i].nr < is_plan.n && cmd->usable == cmds[i].usable && cmd->timed == cmds[i].timed &&
	      cmd->mark == cmds[i].mark, "command %zu of '%s'", cmds[i].nr, cmds[i].state);
	check_str(cmd->what ?: "", cmds[i].what ?: "", "what it says if it fails");
	check(!cmd->what == !cmd->next, "and what to do");
	plan_free(&is_plan);
	state_free(&is);
	tab_free(&tab);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(&rows[i]);
	for (i = 0; i < ARRAY_SIZE(cmds); i++)
		check_cmd(i);
	return done();
}
