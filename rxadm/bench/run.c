// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the jobs of bench one after the other, and beside each what it is to be compared
 * with. A cache is measured warm and compared with its origin, which it is to beat. A RAM
 * disk is compared with what no RAM disk can beat: fio alone, plus a copy of the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/wait.h"
#include "bench/bench.h"
#include "bench/copy.h"
#include "bench/fio.h"
#include "bench/run.h"
#include "kernel/nl.h"
#include "show/json.h"
#include "show/out.h"
#include "system/dev.h"

/* Nothing makes fio alone too fast, but other work makes it slow: the fastest run counts. */
#define ALONE_NS	250000000ULL
#define ALONE_RUNS	3

/* One pass over all bytes, before anything is measured. */
static const struct rx_job warm_pass = { "warming", "read", 1 << 20, 1, false };
static const struct rx_job write_pass = { "writing", "write", 1 << 20, 1, true };

struct step {
	struct rx_bench *bench;
	const struct rx_job *job;
	const char *device;	/* kernel name, or NULL for fio alone */
	struct rx_io before;
	int64_t start;
	double ms, done_ms, all_ms;	/* of this step, before it, and of all; ms 0: a pass */
};

/* Shows how far it is, and what the kernel counts meanwhile. */
static void tick(void *arg)
{
	const struct step *step = arg;
	const struct rx_bench *b = step->bench;
	double ms = now_ms() - step->start, part;
	uint64_t ios = 0, bytes = 0;
	struct rx_io io;
	char more[96];

	if (step->device) {
		dev_io(step->device, &io);
		ios = io.reads + io.writes - step->before.reads - step->before.writes;
		bytes = io.read_bytes + io.write_bytes - step->before.read_bytes -
			step->before.write_bytes;
	}
	if (!step->ms)
		part = ratio_of(bytes, b->size);
	else
		part = (step->done_ms + (ms < step->ms ? ms : step->ms)) / step->all_ms;
	if (step->device && step->ms && ms > 0)
		snprintf(more, sizeof(more), "%s on %s, %.0f IOPS", step->job->name,
			 step->device, ios * 1000 / ms);
	else
		snprintf(more, sizeof(more), "%s", step->job->name);
	progress_show(b->verb, b->name, part, more);
}

static enum rx_fio measure(struct step *step, const struct rx_job *job, const char *path,
			   uint64_t time_ns, struct rx_figure *figure)
{
	struct rx_bench *b = step->bench;
	struct rx_fio_run run = {
		.bench = b, .job = job, .path = path, .time_ns = time_ns, .tick = tick,
		.arg = step,
	};
	enum rx_fio end;

	step->job = job;
	step->device = path ? strrchr(path, '/') + 1 : NULL;
	step->ms = time_ns / 1e6;
	step->start = now_ms();
	if (step->device)
		dev_io(step->device, &step->before);
	end = fio_run(&run, figure, b->fio, sizeof(b->fio));
	step->done_ms += step->ms;
	return end;
}

/* Returns the share of the blocks read since BEFORE that came from memory. */
static double hits_since(const struct rx_bench *b, const struct rx_cache *before)
{
	struct rx_cache now;
	struct rx_err err;

	/* Somebody may have reset the counters, or mapped the cache anew. */
	if (nl_get(RX_CACHE, b->name, &now, &err) || now.id != before->id ||
	    now.read_blocks < before->read_blocks)
		return -1;
	return ratio_of(now.stats.read_hit - before->stats.read_hit,
			now.read_blocks - before->read_blocks);
}

/* A write goes to the origin, whose data only that write may destroy. */
static const char *limit_path(const struct rx_bench *b, const struct rx_job *job)
{
	return b->cache && !job->writes ? b->origin_path : NULL;
}

static uint64_t limit_ns(const struct rx_bench *b, const struct rx_job *job)
{
	if (b->cache)
		return job->writes ? 0 : b->time_ns;
	return b->time_ns < ALONE_NS ? b->time_ns : ALONE_NS;
}

/* Adds the time of a copy to each I/O of fio alone. */
static void add_copy(const struct rx_job *job, uint64_t size, struct rx_figure *f)
{
	double rate = copy_rate(job, size), ns;

	if (rate <= 0 || f->iops <= 0) {
		*f = (struct rx_figure){ -1, -1, -1, -1 };
		return;
	}
	ns = 1e9 / f->iops + job->block * 1e9 / rate;
	*f = (struct rx_figure){ .iops = 1e9 / ns, .bytes = job->block * 1e9 / ns,
				 .mean_ns = ns * job->depth, .p99_ns = -1 };
}

static enum rx_fio measure_limit(struct step *step, const struct rx_job *job,
				 struct rx_figure *limit)
{
	struct rx_bench *b = step->bench;
	struct rx_figure alone;
	enum rx_fio end;
	int i;

	*limit = (struct rx_figure){ -1, -1, -1, -1 };
	if (!limit_ns(b, job))
		return FIO_DONE;
	if (b->cache)
		return measure(step, job, limit_path(b, job), limit_ns(b, job), limit);
	for (i = 0; i < ALONE_RUNS; i++) {
		end = measure(step, job, NULL, limit_ns(b, job), &alone);
		if (end != FIO_DONE)
			return end;
		if (alone.iops > limit->iops)
			*limit = alone;
	}
	add_copy(job, b->size, limit);
	return FIO_DONE;
}

static enum rx_fio measure_row(struct step *step, const struct rx_job *job, struct rx_row *row)
{
	struct rx_bench *b = step->bench;
	struct rx_cache before;
	struct rx_err err;
	bool counted = b->cache && !job->writes &&
		       !nl_get(RX_CACHE, b->name, &before, &err);
	enum rx_fio end;

	end = measure(step, job, b->path, b->time_ns, &row->is);
	if (end != FIO_DONE)
		return end;
	row->hit = counted ? hits_since(b, &before) : -1;
	end = measure_limit(step, job, &row->limit);
	row->of_limit = row->limit.iops > 0 ? row->is.iops / row->limit.iops : -1;
	return end;
}

/* Returns what comes before the first job: the disk is filled, the cache is warmed. */
static const struct rx_job *first_pass(const struct rx_bench *b)
{
	size_t i;

	if (b->write_first)
		return &write_pass;
	for (i = 0; b->cache && i < b->n; i++)
		if (!b->jobs[i]->writes)
			return &warm_pass;
	return NULL;
}

static enum rx_fio measure_all(struct rx_bench *b)
{
	const struct rx_job *first = first_pass(b);
	struct step step = { .bench = b };
	struct rx_figure none;
	enum rx_fio end = FIO_DONE;
	size_t i;

	for (i = 0; i < b->n; i++)
		step.all_ms += (b->time_ns + limit_ns(b, b->jobs[i]) *
				(b->cache ? 1 : ALONE_RUNS)) / 1e6;
	if (first)
		end = measure(&step, first, b->path, 0, &none);
	progress_end();
	for (i = 0; i < b->n && end == FIO_DONE; i++)
		end = measure_row(&step, b->jobs[i], &b->rows[i]);
	progress_end();
	return end;
}

/* Measures all jobs, or says why that failed. */
int bench_run(struct rx_bench *bench)
{
	signals_take();
	switch (measure_all(bench)) {
	case FIO_DONE:
		return RX_OK;
	case FIO_SIGNAL:
		say(bench->verb, bench->name, "interrupted; fio has ended");
		out_json_end(RX_KERNEL);
		out_flush();
		signals_die();
		return RX_KERNEL;
	default:
		return RX_KERNEL;
	}
}

static void add_command(const struct rx_bench *bench, const struct rx_job *job,
			const char *path, uint64_t time_ns, struct rx_strv *commands)
{
	struct rx_fio_run run = {
		.bench = bench, .job = job, .path = path, .time_ns = time_ns,
	};
	char *line = fio_line(&run);

	strv_add(commands, line);
	free(line);
}

/* Adds the commands in their order. */
void bench_dry(const struct rx_bench *bench, struct rx_strv *commands)
{
	const struct rx_job *first = first_pass(bench), *job;
	uint64_t time_ns;
	size_t i;
	int run;

	if (first)
		add_command(bench, first, bench->path, 0, commands);
	for (i = 0; i < bench->n; i++) {
		job = bench->jobs[i];
		add_command(bench, job, bench->path, bench->time_ns, commands);
		time_ns = limit_ns(bench, job);
		for (run = 0; time_ns && run < (bench->cache ? 1 : ALONE_RUNS); run++)
			add_command(bench, job, limit_path(bench, job), time_ns, commands);
	}
}
