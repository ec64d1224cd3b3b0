// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes images at random and reads them, with ASan and UBSan: an image from anywhere can
 * do no more than fail. Half of the changes are below the frame of zstd, whose checksum is
 * right, so that the reader goes on behind it. What it takes must be in order, inside the
 * disk and of the length that is told.
 *
 * RX_FUZZ_SECONDS is how long it runs, 2 if it is not set, and RX_FUZZ_SEED the first number.
 */
#include <errno.h>

#include "base/quote.h"
#include "base/wait.h"
#include "image_change.h"
#include "rx_test.h"

#define RUNS_MIN	500		/* among them are all kinds */

static unsigned long runs, taken, pieces, refused, unmade;

/* Reads the file. Returns false if it took what it must not take. */
static bool reads(int fd, bool last)
{
	uint64_t end = 0, bytes = 0, n = 0;
	struct image_record record = { 0 };
	static struct image_reader r;
	bool good = true;
	int err;

	set_file(fd, file, len);
	err = image_open(&r, fd);
	while (!err && good && !(err = image_next(&r, &record)) && record.length) {
		good = record.offset >= end && record.length <= IMAGE_PIECE &&
		       record.offset + record.length <= r.header.size &&
		       record.offset + record.length > record.offset;
		end = record.offset + record.length;
		bytes += record.length;
		n++;
	}
	pieces += n;
	if (err) {
		refused++;
		good = good && err == EBADMSG && r.wrong;
	} else {
		taken++;
		good = good && r.bytes == bytes && len == r.at;
	}
	if (last)
		image_close(&r);
	return good;
}

int main(void)
{
	const char *seconds = getenv("RX_FUZZ_SECONDS"), *first = getenv("RX_FUZZ_SEED");
	uint64_t begun = first ? strtoull(first, NULL, 10) : 1, at;
	int64_t end = now_ms() + (seconds ? atoll(seconds) : 2) * 1000, shown = now_ms();
	int fd = memory_file();
	bool good = true;

	make_originals();
	for (at = begun; good && (now_ms() < end || runs < RUNS_MIN); at++) {
		unmade += !make_changed(at);
		good = reads(fd, false);
		runs++;
		if (seconds && now_ms() - shown > 10000) {
			shown = now_ms();
			printf("# %lu images, %lu taken, %lu refused, %lu pieces read\n", runs, taken, refused, pieces);
			fflush(stdout);
		}
	}
	printf("# %lu images, %lu of them unchanged; %lu taken, %lu refused, %lu pieces read\n", runs, unmade,
	       taken, refused, pieces);
	check(good, "seeds %llu to %llu", (unsigned long long)begun, (unsigned long long)at - 1);
	check(taken > runs / 100 && refused > runs / 2, "some are taken, and most are not");
	reads(fd, true);
	free_originals();
	close(fd);
	return done();
}
