// SPDX-License-Identifier: GPL-2.0-only
/*
 * One line of the table brought up or down. What is to be done becomes a command
 * line of rxadm, which is printed and then run as if somebody had typed it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "await.h"
#include "dev.h"
#include "events.h"
#include "mem.h"
#include "nl.h"
#include "protocol.h"
#include "replay.h"
#include "rxtab.h"
#include "say.h"
#include "sys.h"
#include "units.h"

#define NOTICE_MS	3000
#define DISK_ALIGN	4096ULL		/* the kernel rounds sizes up to it */

/* WHAT is wrong with the line's object, and what to do NEXT. */
static void __attribute__((format(printf, 3, 4)))
fail(struct tab_job *job, const char *next, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	job->what = mem_vtext(fmt, ap);
	va_end(ap);
	job->next = mem_dup(next);
	job->result = TAB_FAILED;
	job->status = RX_KERNEL;
}

static void fail_kernel(struct tab_job *job, const char *verb,
			const struct rx_err *err)
{
	job->status = err_report(verb, job->line->name, err);
	job->result = TAB_FAILED;
}

/* As a shell wants it. */
static void put_word(FILE *f, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789/.:_+=@%,-";

	fputc(' ', f);
	if (!word[strspn(word, plain)]) {
		fputs(word, f);
		return;
	}
	fputc('\'', f);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, f);
	fputc('\'', f);
}

static void show(struct tab_job *job, const struct rx_strv *words)
{
	char *text;
	FILE *f = mem_open(&text);
	size_t i;

	fputs("rxadm", f);
	for (i = 0; i < words->n; i++)
		put_word(f, words->v[i]);
	mem_close(f);
	strv_add(&job->steps, text);
	if (!rx.json && !rx.quiet)
		printf("[#] %s\n", text);
	free(text);
	fflush(stdout);
}

/* WORDS are what would stand after "rxadm"; they are freed. */
static void step(struct tab_job *job, struct rx_strv *words,
		 enum tab_result result)
{
	struct rx_args args = { .verb = verb_find(words->v[0]) };
	struct rx_global old = rx;

	show(job, words);
	job->result = result;
	if (!rx.dry_run) {
		rx.step.on = true;
		rx.json = false;
		job->status = args_parse((int)words->n, words->v, 0, &args);
		if (!job->status)
			job->status = args.verb->run(args.verb, &args);
		old.out_errno = rx.out_errno;
		rx = old;
		free(args.objects);
	}
	if (job->status)
		job->result = TAB_FAILED;
	strv_free(words);
}

static void add_option(struct rx_strv *words, const char *key,
		       const char *value)
{
	char name[32];

	snprintf(name, sizeof(name), "--%s", key);
	strv_add(words, name);
	if (value)
		strv_add(words, value);
}

/* The options that attach and map have too, but for the objects. */
static void add_options(struct rx_strv *words, const struct tab_line *line)
{
	enum tab_key key;

	add_option(words, "name", line->name);
	for (key = 0; key < TAB_COMMANDS; key++) {
		if (!line->text[key] || key == TAB_ORIGIN || key == TAB_DISK ||
		    (key == TAB_SIZE && line->family == RX_DISK))
			continue;
		add_option(words, tab_key_name(key),
			   tab_key_is_flag(key) ? NULL : line->text[key]);
	}
}

static uint64_t rounded(uint64_t size)
{
	return size > UINT64_MAX - DISK_ALIGN ? size :
		(size + DISK_ALIGN - 1) / DISK_ALIGN * DISK_ALIGN;
}

/* Says how two sizes differ that read the same when they are short. */
static void sizes(char *is, char *want, size_t len, uint64_t a, uint64_t b)
{
	size_print(a, is, len);
	size_print(b, want, len);
	if (!strcmp(is, want)) {
		snprintf(is, len, "%lluB", (unsigned long long)a);
		snprintf(want, len, "%lluB", (unsigned long long)b);
	}
}

/* What of a disk that is there can't be changed. False if all agrees. */
static bool disk_differs(struct tab_job *job, const struct rx_disk *disk)
{
	struct tab_line *line = job->line;
	uint64_t block = line->text[TAB_BLOCK] ? line->num[TAB_BLOCK] : 512;
	uint64_t size = rounded(line->num[TAB_SIZE]);
	bool read_only = line->text[TAB_READ_ONLY];
	bool bios = line->text[TAB_QUEUE_MODE] &&
		    !strcmp(line->text[TAB_QUEUE_MODE], "bio");
	char is[32], want[32], next[160];

	snprintf(next, sizeof(next),
		 "change line %u, or, if the data on it may be lost: rxadm detach %s, then: rxadm up %s",
		 line->nr, line->name, line->name);
	sizes(is, want, sizeof(is), disk->size, size);
	if (disk->size > size)
		fail(job, next, "is %s, the table says %s, and disks only grow",
		     is, want);
	else if (disk->block != block)
		fail(job, next, "has blocks of %llu bytes, the table says %llu",
		     (unsigned long long)disk->block,
		     (unsigned long long)block);
	else if ((disk->read_only == 1) != read_only)
		fail(job, next, "is %s, the table says %s",
		     read_only ? "writable" : "read-only",
		     read_only ? "read-only" : "writable");
	/* A module that knows no other mode says none. */
	else if ((disk->queue_mode == RX_QUEUE_BIO) != bios)
		fail(job, next, "has the queue mode %s, the table says %s",
		     bios ? "mq" : "bio", bios ? "bio" : "mq");
	/* The kernel makes no more queues than there are CPUs. */
	else if (line->text[TAB_QUEUES] &&
		 (disk->queues > line->num[TAB_QUEUES] ||
		  (disk->queues < line->num[TAB_QUEUES] &&
		   (long)disk->queues < sysconf(_SC_NPROCESSORS_ONLN))))
		fail(job, next, "has %llu queues, the table says %llu",
		     (unsigned long long)disk->queues,
		     (unsigned long long)line->num[TAB_QUEUES]);
	return job->result == TAB_FAILED;
}

/* As nl_get, but one that is on its way out is waited for: it is not the one meant. */
static int get_disk(const char *name, struct rx_disk *disk, struct rx_err *err)
{
	int ret = nl_get(RX_DISK, name, disk, err);
	struct rx_err ignored;

	if (ret || disk->state != RX_DISK_DETACHING || rx.dry_run)
		return ret;
	if (!nl_join(RX_DISK, &ignored))
		await_disk(AWAIT_DETACHED, disk, "up", step_left());
	return nl_get(RX_DISK, name, disk, err);
}

static void up_disk(struct tab_job *job)
{
	struct tab_line *line = job->line;
	struct rx_strv words = { 0 };
	struct rx_disk disk;
	struct rx_err err;

	if (!get_disk(line->name, &disk, &err)) {
		job->result = TAB_SAME;
		if (disk.state == RX_DISK_DETACHING)
			fail(job, "wait for its end, see: rxadm list",
			     "is still being detached");
		if (job->result == TAB_FAILED || disk_differs(job, &disk) ||
		    disk.size >= rounded(line->num[TAB_SIZE]))
			return;
		strv_add(&words, "resize");
		strv_add(&words, line->name);
		strv_add(&words, line->text[TAB_SIZE]);
		step(job, &words, TAB_CHANGED);
	} else if (err.err == ENODEV || (err.absent && rx.dry_run)) {
		strv_add(&words, "attach");
		strv_add(&words, line->text[TAB_SIZE]);
		add_options(&words, line);
		step(job, &words, TAB_MADE);
	} else {
		fail_kernel(job, "up", &err);
	}
}

static bool memory_differs(struct tab_job *job, const struct rx_cache *cache,
			   const char *next)
{
	struct tab_line *line = job->line;
	char is[32], want[32];
	struct rx_disk disk;
	struct rx_err err;

	if (line->disk) {
		if (strcmp(cache->disk, line->disk->name))
			fail(job, next, "is on disk %s, the table says %s",
			     cache->disk, line->disk->name);
		return job->result == TAB_FAILED;
	}
	if (cache->own_disk != 1) {
		fail(job, next, "is on disk %s, the table gives it one of its own",
		     cache->disk);
		return true;
	}
	if (nl_get(RX_DISK, cache->disk, &disk, &err)) {
		fail_kernel(job, "up", &err);
		return true;
	}
	sizes(is, want, sizeof(is), disk.size, rounded(line->num[TAB_SIZE]));
	if (disk.size != rounded(line->num[TAB_SIZE]))
		fail(job, next, "has %s of memory, the table says %s", is, want);
	return job->result == TAB_FAILED;
}

/* What of a cache that is there can't be changed. False if all agrees. */
static bool cache_differs(struct tab_job *job, const struct rx_cache *cache)
{
	struct tab_line *line = job->line;
	bool says_block = line->text[TAB_BLOCK];
	const char *policy = line->text[TAB_POLICY];
	char real[PATH_MAX], next[128];
	int err;

	snprintf(next, sizeof(next),
		 "change line %u, or run: rxadm down %s && rxadm up %s",
		 line->nr, line->name, line->name);
	err = dev_real(line->text[TAB_ORIGIN], real, sizeof(real));
	if (err) {
		fail(job, next, "exists, but its origin %s can't be found: %s",
		     line->text[TAB_ORIGIN], strerror(err));
		return true;
	}
	if (strcmp(real + strlen("/dev/"), cache->origin))
		fail(job, next, "is over /dev/%s, the table says %s",
		     cache->origin, line->text[TAB_ORIGIN]);
	/* What the table leaves to the kernel depends on the kernel's pages. */
	else if (says_block && cache->block != line->num[TAB_BLOCK])
		fail(job, next, "has blocks of %llu bytes, the table says %llu",
		     (unsigned long long)cache->block,
		     (unsigned long long)line->num[TAB_BLOCK]);
	else if (policy && strcmp(policy, cache->policy))
		fail(job, next, "has the policy %s, the table says %s",
		     cache->policy, policy);
	/* A cache over an origin that can't be written is read-only anyway. */
	else if (line->text[TAB_READ_ONLY] && cache->read_only != 1)
		fail(job, next, "can be written, the table says read-only");
	return job->result == TAB_FAILED || memory_differs(job, cache, next);
}

/* What can be changed while it works. */
static void set_cache(struct tab_job *job, const struct rx_cache *cache)
{
	struct tab_line *line = job->line;
	const char *mode = line->text[TAB_MODE] ? line->text[TAB_MODE] :
		"through";
	bool allocate = !line->text[TAB_NO_WRITE_ALLOCATE];
	struct rx_strv words = { 0 };

	job->result = TAB_SAME;
	strv_add(&words, "set");
	strv_add(&words, line->name);
	if (cache->mode != line->num[TAB_MODE])
		add_option(&words, "mode", mode);
	if (cache->write_allocate != allocate)
		add_option(&words, "write-allocate", allocate ? "yes" : "no");
	/* The kernel cuts it to whole blocks. */
	if (line->text[TAB_FLOOR] && cache->floor !=
	    line->num[TAB_FLOOR] / cache->block * cache->block)
		add_option(&words, "floor", line->text[TAB_FLOOR]);
	if (words.n > 2)
		step(job, &words, TAB_CHANGED);
	else
		strv_free(&words);
}

/* It is there already, or is about to be or to go. */
static void check_cache(struct tab_job *job, struct rx_cache *cache)
{
	const char *name = job->line->name;
	struct rx_err err;
	char next[128];

	if (cache->state == RX_STATE_STARTING && !rx.dry_run &&
	    !nl_join(RX_CACHE, &err))
		await_cache(AWAIT_ACTIVE, cache, "up", name, step_left());
	snprintf(next, sizeof(next), "run: rxadm unmap %s, then: rxadm up %s",
		 name, name);
	model_derive(cache);
	switch (cache->status) {
	case RX_STATE_STARTING:
	case RX_STATE_DRAINING:
	case RX_STATE_FAILED:
		fail(job, next, "is %s", rx_state_names[cache->state]);
		break;
	case RX_STATE_DEAD:
		fail(job, next, "has lost its origin %s",
		     job->line->text[TAB_ORIGIN]);
		break;
	case RX_STATUS_MISMATCH:
		snprintf(next, sizeof(next),
			 "find out why, then: rxadm set %s --mode through",
			 name);
		fail(job, next, "is bypassed since its verification found blocks that differ from the origin");
		break;
	default:
		if (!cache_differs(job, cache))
			set_cache(job, cache);
		break;
	}
}

/* After a while somebody at a terminal wants to know why nothing happens. */
static int await_origin(const struct tab_line *line, char *real, size_t len)
{
	const char *origin = line->text[TAB_ORIGIN];
	long left = rx.dry_run ? 0 : step_left();
	int err;

	err = dev_await(origin, real, len, left < NOTICE_MS ? left : NOTICE_MS);
	if (err != ENOENT || left <= NOTICE_MS || signals_pending())
		return err;
	if (!rx.quiet && isatty(STDERR_FILENO))
		say("up", line->name, "waiting for %s; Ctrl-C gives up",
		    origin);
	return dev_await(origin, real, len, step_left());
}

static void map_cache(struct tab_job *job, const struct rx_tab *tab)
{
	struct tab_line *line = job->line;
	struct rx_strv words = { 0 };
	char real[PATH_MAX], next[PATH_MAX + 64];
	int err;

	err = await_origin(line, real, sizeof(real));
	/* It was not waited for to the end. */
	if (err && signals_pending())
		return;
	if (err) {
		snprintf(next, sizeof(next), "fix %s line %u and run: rxadm up %s",
			 strcmp(tab->path, RXTAB_PATH) ? tab->path : "rxtab",
			 line->nr, line->name);
		if (err == ENOENT)
			fail(job, next, "origin %s missing",
			     line->text[TAB_ORIGIN]);
		else if (err == ENOTBLK)
			fail(job, next, "origin %s is no block device",
			     line->text[TAB_ORIGIN]);
		else
			fail(job, next, "origin %s: %s",
			     line->text[TAB_ORIGIN], strerror(err));
		return;
	}
	strv_add(&words, "map");
	if (line->disk)
		strv_add(&words, line->disk->name);
	strv_add(&words, line->text[TAB_ORIGIN]);
	add_options(&words, line);
	step(job, &words, TAB_MADE);
}

/* START is when the waiting for devices began. */
void tab_up(struct tab_job *job, const struct rx_tab *tab, int64_t start)
{
	struct rx_cache cache;
	struct rx_err err;

	rx.step.end = start + (int64_t)tab_timeout_ms(job->line);
	if (job->line->family == RX_DISK) {
		up_disk(job);
		return;
	}
	if (!nl_get(RX_CACHE, job->line->name, &cache, &err))
		check_cache(job, &cache);
	else if (err.err == ENODEV || (err.absent && rx.dry_run))
		map_cache(job, tab);
	else
		fail_kernel(job, "up", &err);
}

/* False: with err->err it could not be found out, without it is absent. */
bool tab_is_there(enum rx_family family, const char *name, struct rx_err *err)
{
	struct rx_event object;

	err->err = 0;
	/* Asking a family that is absent would load its module. */
	if (!replay_active() &&
	    access(sys_path("/sys/module/%s", model_family(family)), F_OK))
		return false;
	if (!nl_get(family, name, &object.disk, err))
		return true;
	if (err->err == ENODEV || err->absent)
		err->err = 0;
	return false;
}

/* By its name alone: whatever has it goes. */
void tab_down(struct tab_job *job)
{
	struct rx_strv words = { 0 };
	struct rx_err err;

	if (tab_is_there(job->line->family, job->line->name, &err)) {
		strv_add(&words, job->line->family == RX_DISK ? "detach" :
			 "unmap");
		strv_add(&words, job->line->name);
		step(job, &words, TAB_REMOVED);
	} else if (err.err) {
		fail_kernel(job, "down", &err);
	} else {
		job->result = TAB_ABSENT;
	}
}
