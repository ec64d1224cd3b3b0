// SPDX-License-Identifier: GPL-2.0-only
/* The reads of a load, as the kernel makes them meanwhile and, where it does not, one by one. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rx_test.h"
#include "warm/read.h"

#define STEP	(64 << 10)
#define N	100

/* Begins N reads at up to DEPTH at a time. Returns the most that were in flight. */
static unsigned int put_all(struct warm_reads *r, unsigned int depth)
{
	unsigned int most = 0;
	uint64_t i;

	for (i = 0; i < N; i++) {
		reads_put(r, i * STEP, (i + 1) * STEP, depth);
		most = r->busy > most ? r->busy : most;
	}
	return most;
}

static void test_reads(int fd, bool meanwhile)
{
	static const unsigned int depths[] = { 1, 2, READS_MAX };
	const char *how = meanwhile ? "meanwhile" : "one by one";
	struct warm_reads r;
	unsigned int most;
	size_t i;

	reads_init(&r, fd);
	/* A sandbox may have no such calls. */
	if (meanwhile && !r.aio) {
		printf("# no io_setup(2) here\n");
		reads_free(&r);
		return;
	}
	if (r.aio && !meanwhile) {
		syscall(SYS_io_destroy, r.aio);
		r.aio = 0;
	}
	for (i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		most = put_all(&r, depths[i]);
		check(meanwhile ? most == depths[i] : !most, "%s, at depth %u: %u in flight", how,
		      depths[i], most);
		check(reads_wait(&r) == (uint64_t)N * STEP && !r.busy, "and all bytes are read");
		check(!reads_wait(&r), "which are told once");
	}
	/* The file ends in the middle of the last. */
	reads_put(&r, N * STEP, (N + 1) * STEP, 4);
	check(!reads_wait(&r) && r.failed == 1 && !r.gone, "%s: a read that is cut has failed", how);
	put_all(&r, 4);
	check(reads_wait(&r) && r.failed == 1 && !r.failed_in_a_row, "but others go on");
	for (i = 0; i < 4 * READS_MAX; i++)
		reads_put(&r, 1ULL << 40, (1ULL << 40) + STEP, 4);
	check(!reads_wait(&r) && r.failed == 1 + 4 * READS_MAX && r.gone,
	      "%s: after many in a row the device is gone", how);
	reads_free(&r);
}

static void test_no_device(void)
{
	struct warm_reads r;

	reads_init(&r, -1);
	reads_put(&r, 0, STEP, 1);
	check(!reads_wait(&r) && r.failed == 1, "a read that can't begin has failed");
	reads_free(&r);
}

int main(void)
{
	char path[] = "/tmp/rx-warm-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || unlink(path) || ftruncate(fd, (off_t)N * STEP + STEP / 2))
		abort();
	test_reads(fd, true);
	test_reads(fd, false);
	test_no_device();
	return done();
}
