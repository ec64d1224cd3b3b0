// SPDX-License-Identifier: GPL-2.0-only
/*
 * The jobs of bench, which rx-tuning(7) explains: small requests in order and at random, 32
 * at a time and one at a time, and large ones. Those that read come first.
 */
#include <string.h>

#include "bench/bench.h"
#include "bench/jobs.h"

#define KIB4	4096
#define MIB1	(1 << 20)

const struct rx_job rx_jobs[] = {
	{ "randread-4k", "randread", KIB4, 1, false },
	{ "randread-4k-x32", "randread", KIB4, 32, false },
	{ "read-4k-x32", "read", KIB4, 32, false },
	{ "randread-1m", "randread", MIB1, 1, false },
	{ "read-1m", "read", MIB1, 1, false },
	{ "randwrite-4k", "randwrite", KIB4, 1, true },
	{ "randwrite-4k-x32", "randwrite", KIB4, 32, true },
	{ "write-4k-x32", "write", KIB4, 32, true },
	{ "randwrite-1m", "randwrite", MIB1, 1, true },
	{ "write-1m", "write", MIB1, 1, true },
	{ .name = NULL }
};
_Static_assert(ARRAY_SIZE(rx_jobs) <= BENCH_JOBS + 1, "all jobs fit into one run");

const struct rx_job *job_find(const char *name, size_t len)
{
	const struct rx_job *job;

	for (job = rx_jobs; job->name; job++)
		if (!strncmp(job->name, name, len) && !job->name[len])
			return job;
	return NULL;
}

void jobs_each(void (*put)(const char *name, const char *help))
{
	const struct rx_job *job;

	for (job = rx_jobs; job->name; job++)
		put(job->name, job->writes ? "overwrites data; needs --write-ok" : "only reads");
}
