// SPDX-License-Identifier: GPL-2.0-only
/* A batch of bios, the laps of a job, the jobs of a run. */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/highmem.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>
#include "rxtbio.h"

enum {
	LAP_BYTES	= 256 << 10,
	LAPS_MAX	= 1 << 16,	/* kept, of all jobs */
	/* Memory is taken in the largest pieces that any machine has. */
	CHUNK_ORDER	= ilog2(RXT_MEMORY_CHUNK) - PAGE_SHIFT,
};

struct rxt_slot {
	struct bio bio;
	struct bio_vec *vecs;
};

struct rxt_job {
	struct rxt_run *run;
	struct task_struct *task;
	struct rxt_slot *slots;
	u64 next;			/* block, or state of the generator */

	atomic_t pending;		/* bios, and one for the submitter */
	struct completion idle;

	u64 bios;
	u64 ns;
	u32 *laps;			/* ns per bio */
	u32 nr_laps;
};

struct rxt_run {
	const struct rxt_spec *spec;
	struct block_device *bdev;
	struct page **memory;		/* in place of it: its chunks */
	unsigned int nr_vecs;
	u32 nr_blocks;			/* of size, in the span */
	u32 lap;			/* bios */
	u32 laps_max;			/* of a job */
	u32 *laps;
	struct rxt_job *jobs;
	struct completion go;
	struct completion done;
	atomic_t running;
	bool stop;			/* READ_ONCE/WRITE_ONCE */
	atomic_long_t failed;
	blk_status_t status;		/* of the first that failed */
};

static void bio_done(struct bio *bio)
{
	struct rxt_job *job = bio->bi_private;

	if (unlikely(bio->bi_status)) {
		if (atomic_long_inc_return(&job->run->failed) == 1)
			job->run->status = bio->bi_status;
		WRITE_ONCE(job->run->stop, true);
	}
	if (atomic_dec_and_test(&job->pending))
		complete(&job->idle);
}

/* xorshift64*: the upper half is good, and costs less than a look-up. */
static u64 next_block(struct rxt_job *job)
{
	u64 x = job->next;

	if (!job->run->spec->random) {
		job->next = x + 1 == job->run->nr_blocks ? 0 : x + 1;
		return x;
	}
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	job->next = x;
	x = (x * 0x2545f4914f6cdd1dULL) >> 32;
	return (x * job->run->nr_blocks) >> 32;
}

static void submit_one(struct rxt_job *job, struct rxt_slot *slot)
{
	const struct rxt_spec *spec = job->run->spec;
	struct bio *bio = &slot->bio;

	bio_reset(bio, job->run->bdev,
		  spec->write ? REQ_OP_WRITE | REQ_SYNC | REQ_IDLE :
				REQ_OP_READ);
	bio->bi_vcnt = job->run->nr_vecs;
	bio->bi_iter.bi_size = spec->size;
	bio->bi_iter.bi_sector = (spec->offset + next_block(job) * spec->size)
				 >> SECTOR_SHIFT;
	bio->bi_private = job;
	bio->bi_end_io = bio_done;
	submit_bio(bio);
}

/* What the best of RAM disks would have to do. */
static void copy_one(struct rxt_job *job, struct rxt_slot *slot)
{
	const struct rxt_spec *spec = job->run->spec;
	u64 pos = next_block(job) * spec->size;
	struct page *page;
	unsigned int i;

	for (i = 0; i < job->run->nr_vecs; i++) {
		const struct bio_vec *vec = &slot->vecs[i];

		page = job->run->memory[pos / RXT_MEMORY_CHUNK] +
		       pos % RXT_MEMORY_CHUNK / PAGE_SIZE;
		if (spec->write)
			memcpy_page(page, offset_in_page(pos), vec->bv_page, 0,
				    vec->bv_len);
		else
			memcpy_page(vec->bv_page, 0, page, offset_in_page(pos),
				    vec->bv_len);
		pos += vec->bv_len;
	}
}

/* Returns when all have ended. */
static void run_batch(struct rxt_job *job, unsigned int nr)
{
	struct blk_plug plug;
	unsigned int i;

	if (job->run->memory) {
		for (i = 0; i < nr; i++)
			copy_one(job, &job->slots[i]);
		return;
	}
	reinit_completion(&job->idle);
	atomic_set(&job->pending, nr + 1);
	if (nr > 1)
		blk_start_plug(&plug);
	for (i = 0; i < nr; i++)
		submit_one(job, &job->slots[i]);
	if (nr > 1)
		blk_finish_plug(&plug);
	if (!atomic_dec_and_test(&job->pending))
		wait_for_completion_io(&job->idle);
}

/* Returns false when that was the last lap. */
static bool run_lap(struct rxt_job *job, u64 begun)
{
	const struct rxt_spec *spec = job->run->spec;
	u64 from = job->ns, bios = 0, nr;

	while (bios < job->run->lap) {
		nr = spec->depth;
		if (spec->bios)
			nr = min(nr, spec->bios - job->bios);
		if (!nr)
			break;
		run_batch(job, nr);
		bios += nr;
		job->bios += nr;
	}
	job->ns = ktime_get_ns() - begun;
	if (bios && job->nr_laps < job->run->laps_max)
		job->laps[job->nr_laps++] =
			min_t(u64, div64_u64(job->ns - from, bios), U32_MAX);
	return bios == job->run->lap && job->ns < spec->ms * NSEC_PER_MSEC &&
	       !READ_ONCE(job->run->stop);
}

static int job_thread(void *data)
{
	struct rxt_job *job = data;
	struct rxt_run *run = job->run;
	u64 begun;

	wait_for_completion(&run->go);
	begun = ktime_get_ns();
	while (run_lap(job, begun))
		cond_resched();
	if (atomic_dec_and_test(&run->running))
		complete(&run->done);

	/* The run takes us back; until then our stack is its business. */
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void slot_free(struct rxt_run *run, struct rxt_slot *slot)
{
	unsigned int i;

	if (!slot->vecs)
		return;
	bio_uninit(&slot->bio);
	for (i = 0; i < run->nr_vecs && slot->vecs[i].bv_page; i++)
		__free_page(slot->vecs[i].bv_page);
	kvfree(slot->vecs);
}

/* Single pages, as a program's memory is; what is written does not compress. */
static int slot_alloc(struct rxt_run *run, struct rxt_slot *slot, u64 *seed)
{
	struct bio_vec *vec;
	unsigned int i, j;
	u64 *word;

	slot->vecs = kvcalloc(run->nr_vecs, sizeof(*vec), GFP_KERNEL);
	if (!slot->vecs)
		return -ENOMEM;
	bio_init(&slot->bio, run->bdev, slot->vecs, run->nr_vecs,
		 REQ_OP_READ);
	for (i = 0; i < run->nr_vecs; i++) {
		vec = &slot->vecs[i];
		vec->bv_page = alloc_page(GFP_KERNEL);
		if (!vec->bv_page)
			return -ENOMEM;
		vec->bv_len = min_t(u64, run->spec->size - i * PAGE_SIZE,
				    PAGE_SIZE);
		word = page_address(vec->bv_page);
		for (j = 0; j < PAGE_SIZE / sizeof(*word); j++) {
			*seed = *seed * 6364136223846793005ULL + 1;
			word[j] = *seed;
		}
	}
	return 0;
}

static void job_free(struct rxt_job *job)
{
	unsigned int i;

	if (!IS_ERR_OR_NULL(job->task))
		kthread_stop(job->task);
	for (i = 0; job->slots && i < job->run->spec->depth; i++)
		slot_free(job->run, &job->slots[i]);
	kvfree(job->slots);
}

static int job_alloc(struct rxt_job *job, struct rxt_run *run, unsigned int nr)
{
	const struct rxt_spec *spec = run->spec;
	u64 seed = nr + 1;
	unsigned int i;
	int cpu, err;

	job->run = run;
	job->laps = run->laps + nr * run->laps_max;
	job->next = spec->random ? (nr + 1) * 0x9e3779b97f4a7c15ULL :
				   div64_u64((u64)run->nr_blocks * nr, spec->jobs);
	init_completion(&job->idle);
	job->slots = kvcalloc(spec->depth, sizeof(*job->slots), GFP_KERNEL);
	if (!job->slots)
		return -ENOMEM;
	for (i = 0; i < spec->depth; i++) {
		err = slot_alloc(run, &job->slots[i], &seed);
		if (err)
			return err;
		cond_resched();
	}
	job->task = kthread_create(job_thread, job, "rxtbio/%u", nr);
	if (IS_ERR(job->task))
		return PTR_ERR(job->task);
	cpu = cpumask_nth(nr % num_online_cpus(), cpu_online_mask);
	if (cpu < nr_cpu_ids)
		kthread_bind(job->task, cpu);
	return 0;
}

static void memory_free(struct rxt_run *run)
{
	u64 i;

	for (i = 0; run->memory && i < run->spec->span / RXT_MEMORY_CHUNK; i++)
		if (run->memory[i])
			__free_pages(run->memory[i], CHUNK_ORDER);
	kvfree(run->memory);
}

static int memory_alloc(struct rxt_run *run)
{
	u64 nr = run->spec->span / RXT_MEMORY_CHUNK, i;

	if (run->bdev)
		return 0;
	run->memory = kvcalloc(nr, sizeof(*run->memory), GFP_KERNEL);
	if (!run->memory)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		run->memory[i] = alloc_pages(GFP_KERNEL | __GFP_ZERO |
					     __GFP_NORETRY | __GFP_NOWARN,
					     CHUNK_ORDER);
		if (!run->memory[i])
			return -ENOMEM;
		cond_resched();
	}
	return 0;
}

/*
 * Every thread has been woken or has never run, and all bios have ended:
 * a killed writer stops the laps but waits for what is under way.
 */
static int run_jobs(struct rxt_run *run)
{
	unsigned int i;
	int err;

	atomic_set(&run->running, run->spec->jobs);
	for (i = 0; i < run->spec->jobs; i++)
		wake_up_process(run->jobs[i].task);
	complete_all(&run->go);
	err = wait_for_completion_killable(&run->done);
	if (err) {
		WRITE_ONCE(run->stop, true);
		wait_for_completion(&run->done);
	}
	return err;
}

static int compare_laps(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void run_report(struct rxt_run *run, struct rxt_text *t)
{
	u64 bios = 0, ns = 0, rate = 0;
	struct rxt_job *job;
	u32 laps = 0, i;

	for (i = 0; i < run->spec->jobs; i++) {
		job = &run->jobs[i];
		bios += job->bios;
		ns += job->ns;
		rate += div64_u64(job->bios * NSEC_PER_SEC, job->ns ?: 1);
		memmove(run->laps + laps, job->laps,
			job->nr_laps * sizeof(*job->laps));
		laps += job->nr_laps;
	}
	sort(run->laps, laps, sizeof(*run->laps), compare_laps, NULL);
	scnprintf(t->s, sizeof(t->s),
		  "bios=%llu mean=%llu min=%u p50=%u p90=%u per_second=%llu\n",
		  bios, div64_u64(ns, bios ?: 1), run->laps[0],
		  run->laps[laps / 2], run->laps[laps - 1 - laps / 10], rate);
}

int rxt_run(const struct rxt_spec *spec, struct block_device *bdev,
	    struct rxt_text *t)
{
	struct rxt_run run = {
		.spec		= spec,
		.bdev		= bdev,
		.nr_vecs	= DIV_ROUND_UP(spec->size, PAGE_SIZE),
		.nr_blocks	= div64_u64(spec->span, spec->size),
		.lap		= roundup(max_t(u32, LAP_BYTES / spec->size, 1),
					  spec->depth),
		.laps_max	= LAPS_MAX / spec->jobs,
	};
	unsigned int i;
	int err;

	init_completion(&run.go);
	init_completion(&run.done);
	err = memory_alloc(&run);
	if (err)
		goto out_free;
	err = -ENOMEM;
	run.laps = vzalloc(LAPS_MAX * sizeof(*run.laps));
	run.jobs = kvcalloc(spec->jobs, sizeof(*run.jobs), GFP_KERNEL);
	if (!run.laps || !run.jobs)
		goto out_free;
	for (i = 0; i < spec->jobs; i++) {
		err = job_alloc(&run.jobs[i], &run, i);
		if (err)
			goto out_free;
	}
	err = run_jobs(&run);
out_free:
	if (err == -ENOMEM)
		rxt_refuse(t, err, "no memory for the buffers");
	else if (err)
		rxt_refuse(t, err, "interrupted");
	else if (run.status)
		err = rxt_refuse(t, blk_status_to_errno(run.status),
				 "%ld bios failed, the first with errno %d",
				 atomic_long_read(&run.failed),
				 -blk_status_to_errno(run.status));
	else
		run_report(&run, t);
	for (i = 0; run.jobs && i < spec->jobs; i++)
		if (run.jobs[i].run)
			job_free(&run.jobs[i]);
	kvfree(run.jobs);
	vfree(run.laps);
	memory_free(&run);
	return err;
}
