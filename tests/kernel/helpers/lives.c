// SPDX-License-Identifier: GPL-2.0-only
/*
 * lives SEED SECONDS ORIGIN [ORIGIN]
 *
 * Disks and caches that live and die under I/O. Three threads send requests at random, without looking at what is there:
 * attach, detach, resize, erase, map, unmap, flush, set, get and lists of rxd10 to rxd12 and rxc10 to rxc12. Three more use
 * what they can open: each writes and reads its own sectors, of disks, of caches and, opened exclusively, of the origins
 * themselves. What must hold:
 *  - each request is done, or refused for a reason that fits it, with a text;
 *  - whoever could open a device can use it until it is closed;
 *  - what was written through a cache is on the origin from then on: through this one, a later one and without any.
 * In the end all is unmapped and detached. The contents of the origins are overwritten. The last line says how much was
 * done. Exit status 1: something did not hold, 2: could not begin.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include "genl.h"
#include "../../../module/include/uapi/linux/rxdsk.h"
#include "../../../module/include/uapi/linux/rxcache.h"

enum { FIRST = 10, OBJECTS = 3, ADMINS = 3, USERS = 3, SLOTS = 16, BLOCK = 4096, ORIGINS = 2 };
enum { ATTACH, DETACH, RESIZE, ERASE, MAP, UNMAP, DROP, SET, GET, LIST, OPS };

/* What may be answered, beside yes. */
static const struct {
	const char *name;
	int refusals[5];
} ops[OPS] = {
	[ATTACH] = { "attach", { EEXIST } },
	[DETACH] = { "detach", { ENODEV, EBUSY, EALREADY } },
	[RESIZE] = { "resize", { ENODEV, EBUSY, EINVAL } },
	[ERASE] = { "erase", { ENODEV, EBUSY } },
	/* EAGAIN: names in /dev changed while the origin was looked up. rxadm asks again. */
	[MAP] = { "map", { ENODEV, EBUSY, EEXIST, ENOTEMPTY, EAGAIN } },
	[UNMAP] = { "unmap", { ENODEV, EBUSY, EALREADY } },
	[DROP] = { "drop", { ENODEV, EBUSY } },
	[SET] = { "set", { ENODEV, EBUSY } },
	[GET] = { "get", { ENODEV } },
	[LIST] = { "list", { 0 } },
};

static int rxdsk, rxcache, origins;
static char **origin;
static uint64_t seed;
static time_t end;
static atomic_int failed;
static atomic_long done[OPS], refused[OPS], used[3], others;
/* What each user has written to each origin, and to the disk that it has open. */
static char shadow[USERS][ORIGINS + 1][SLOTS * BLOCK];

struct user {
	int me, fd, direct;
	uint64_t x;
	char *buf;
};

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void fail(const char *what, const char *name, int err, const char *text)
{
	if (!atomic_exchange(&failed, 1))
		printf("lives: %s %s: %s %s\n", what, name, err ? strerrorname_np(err) : "", text);
}

static void fail_data(const char *got, const char *want, ssize_t len, off_t pos, const char *name)
{
	char text[160];
	ssize_t i = 0;

	while (i < len && got[i] == want[i])
		i++;
	i &= -8;
	snprintf(text, sizeof(text), "byte %lld: %016llx instead of %016llx, of a read of %zd at %lld", (long long)pos + i,
		 *(unsigned long long *)(got + i), *(unsigned long long *)(want + i), len, (long long)pos);
	fail("other data than was written to", name, 0, text);
}

static int done_yet(void) { return failed || time(NULL) >= end; }

static void put_name(struct genl *g, int type, const char *kind, unsigned int n, char *name)
{
	sprintf(name, "%s%u", kind, FIRST + n);
	genl_put_str(g, type, name);
}

static void ask_disk(struct genl *g, int op, uint64_t *x, char *name)
{
	static const int cmd[] = {
		[ATTACH] = RXDSK_CMD_DISK_NEW, [DETACH] = RXDSK_CMD_DISK_DEL, [RESIZE] = RXDSK_CMD_DISK_RESIZE,
		[ERASE] = RXDSK_CMD_DISK_ERASE,
	};

	genl_begin(g, rxdsk, cmd[op], NLM_F_ACK);
	put_name(g, RXDSK_A_DISK_NAME, "rxd", next(x) % OBJECTS, name);
	if (op == ATTACH || op == RESIZE)
		genl_put_u64(g, RXDSK_A_DISK_SIZE, (1 + next(x) % 8) << 20);
	if (op == RESIZE && next(x) % 2)
		genl_put(g, RXDSK_A_DISK_SHRINK, "", 0);
}

static void ask_cache(struct genl *g, int op, uint64_t *x, char *name)
{
	static const int cmd[] = {
		[MAP] = RXCACHE_CMD_CACHE_NEW, [UNMAP] = RXCACHE_CMD_CACHE_DEL, [DROP] = RXCACHE_CMD_CACHE_DROP,
		[SET] = RXCACHE_CMD_CACHE_SET, [GET] = RXCACHE_CMD_CACHE_GET,
	};
	char disk[32];

	genl_begin(g, rxcache, cmd[op], NLM_F_ACK);
	put_name(g, RXCACHE_A_CACHE_NAME, "rxc", next(x) % OBJECTS, name);
	if (op == SET)
		genl_put_u64(g, RXCACHE_A_CACHE_FLOOR, next(x) % 4 << 20);
	if (op == SET || op == MAP)
		genl_put_u32(g, RXCACHE_A_CACHE_MODE, next(x) % 2);
	if (op != MAP)
		return;
	put_name(g, RXCACHE_A_CACHE_DISK, "rxd", next(x) % OBJECTS, disk);
	genl_put_str(g, RXCACHE_A_CACHE_ORIGIN, origin[next(x) % origins]);
	genl_put_u32(g, RXCACHE_A_CACHE_BLOCK_SIZE, BLOCK << next(x) % 5);
	if (next(x) % 2)
		genl_put(g, RXCACHE_A_CACHE_ERASE, "", 0);
}

static int fits(int op, int err, const char *text)
{
	/* A cache that comes to others has their block size. */
	if (op == MAP && err == EINVAL && strstr(text, "the caches on the disk have another"))
		return 1;
	for (int i = 0; i < 5; i++)
		if (err && ops[op].refusals[i] == err)
			return 1;
	return 0;
}

static void ask(struct genl *g, int op, uint64_t *x)
{
	char name[32] = "";
	int err;

	if (op == LIST)
		genl_begin(g, next(x) % 2 ? rxdsk : rxcache, 1, NLM_F_DUMP);
	else if (op <= ERASE)
		ask_disk(g, op, x, name);
	else
		ask_cache(g, op, x, name);
	err = genl_talk(g, NULL);
	if (!err) {
		done[op]++;
		return;
	}
	refused[op]++;
	if (!fits(op, err, g->text))
		fail(ops[op].name, name, err, g->text);
	else if (!g->text[0])
		fail(ops[op].name, name, err, "without a text");
}

static void *admin(void *arg)
{
	/* More of what makes than of what ends, or there is never anything to use. */
	static const int mix[] = { ATTACH, ATTACH, ATTACH, MAP, MAP, MAP, MAP, MAP, DETACH, UNMAP, UNMAP, RESIZE, ERASE,
				   DROP, SET, GET, LIST };
	uint64_t x = seed * 7919 + (uintptr_t)arg + 1;
	struct genl g;

	genl_open(&g);
	while (!done_yet()) {
		ask(&g, mix[next(&x) % (sizeof(mix) / sizeof(mix[0]))], &x);
		usleep(next(&x) % 3000);
	}
	close(g.fd);
	return NULL;
}

/* A user's own blocks begin behind the first one, which names the origin. */
static off_t place(int me, unsigned int at) { return (1 + me * SLOTS) * BLOCK + at; }

/* One read or write of the user's own sectors of what is open; @copy is what is there. */
static void touch(struct user *u, char *copy, const char *name, int only_read)
{
	unsigned int sectors = 1 + next(&u->x) % 24, at = next(&u->x) % (SLOTS * 8 - sectors + 1) * 512;
	ssize_t len = sectors * 512, n;

	if (next(&u->x) % 2 && !only_read) {
		for (ssize_t i = 0; i < len; i += 8)
			*(uint64_t *)(u->buf + i) = next(&u->x);
		memcpy(copy + at, u->buf, len);
		n = pwrite(u->fd, u->buf, len, place(u->me, at));
		if (n == len && !u->direct && fsync(u->fd))
			n = -1;
		if (n != len)
			fail("write to the open device", name, n < 0 ? errno : 0, "");
		return;
	}
	n = pread(u->fd, u->buf, len, place(u->me, at));
	if (n != len)
		fail("read from the open device", name, n < 0 ? errno : 0, "");
	else if (memcmp(u->buf, copy + at, len))
		fail_data(u->buf, copy + at, len, place(u->me, at), name);
}

static void use_disk(struct user *u, const char *name)
{
	char *copy = shadow[u->me][ORIGINS];

	memset(copy, 0, SLOTS * BLOCK);
	memset(u->buf, 0, SLOTS * BLOCK);
	if (pwrite(u->fd, u->buf, SLOTS * BLOCK, place(u->me, 0)) != SLOTS * BLOCK)
		fail("write to the open disk", name, errno, "");
	for (unsigned int n = 1 + next(&u->x) % 16; n && !failed; n--)
		touch(u, copy, name, 0);
	used[0]++;
}

static void use_origin(struct user *u, const char *name, int only_read)
{
	if (pread(u->fd, u->buf, BLOCK, 0) != BLOCK) {
		fail("read from the open device", name, errno, "");
		return;
	}
	if (*(uint64_t *)u->buf - 1 >= (uint64_t)origins) {
		fail("no origin's first block at", name, 0, "");
		return;
	}
	used[only_read ? 2 : 1]++;
	for (unsigned int which = *(uint64_t *)u->buf - 1, n = 1 + next(&u->x) % 24; n && !failed; n--)
		touch(u, shadow[u->me][which], name, only_read);
}

/*
 * A device that goes away between the look-up of its name and its open leaves its number to the next one that comes: what
 * was opened may be another. Now that it is open, its number stays.
 */
static int is_device(int fd, const char *name)
{
	char link[64], target[512];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return 0;
	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(st.st_rdev), minor(st.st_rdev));
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return 0;
	target[n] = 0;
	return !strcmp(strrchr(target, '/'), strrchr(name, '/'));
}

static int fits_open(int err) { return err == ENOENT || err == ENXIO || err == ENODEV || err == EBUSY; }

static void *user(void *arg)
{
	struct user u = { .me = (uintptr_t)arg, .x = seed * 104729 + (uintptr_t)arg + 1 };
	char name[32];
	int flags;

	if (posix_memalign((void **)&u.buf, BLOCK, SLOTS * BLOCK))
		return NULL;
	while (!done_yet()) {
		unsigned int kind = next(&u.x) % 8, n = next(&u.x) % OBJECTS;

		u.direct = u.me || kind > 5 ? O_DIRECT : 0;
		flags = O_RDWR | u.direct;
		snprintf(name, sizeof(name), "/dev/rx%c%u", kind < 2 ? 'd' : 'c', FIRST + n);
		if (kind > 5) {
			snprintf(name, sizeof(name), "%s", origin[n % origins]);
			flags = O_RDONLY | O_DIRECT | O_EXCL;
		}
		u.fd = open(name, flags);
		if (u.fd < 0) {
			if (!fits_open(errno))
				fail("open", name, errno, "");
			usleep(1000);
			continue;
		}
		if (!is_device(u.fd, name))
			others++;
		else if (kind < 2)
			use_disk(&u, name);
		else
			use_origin(&u, name, kind > 5);
		close(u.fd);
	}
	free(u.buf);
	return NULL;
}

static int name_origins(void)
{
	char *buf;

	if (posix_memalign((void **)&buf, BLOCK, BLOCK))
		return -1;
	for (int i = 0; i < origins; i++) {
		int fd = open(origin[i], O_RDWR | O_DIRECT);

		memset(buf, 0, BLOCK);
		for (int b = 0; fd >= 0 && b < 1 + USERS * SLOTS; b++) {
			*(uint64_t *)buf = b ? 0 : i + 1;
			if (pwrite(fd, buf, BLOCK, (off_t)b * BLOCK) != BLOCK)
				return -1;
		}
		if (fd < 0 || close(fd))
			return -1;
	}
	free(buf);
	return 0;
}

/* Until it is not there: a cache ends a while after it was told to, and its start has to end first. */
static void end_all(struct genl *g, int op, const char *kind)
{
	time_t limit = time(NULL) + 60;
	char name[32];
	int err;

	for (unsigned int n = 0; n < OBJECTS; n++) {
		do {
			genl_begin(g, op == UNMAP ? rxcache : rxdsk,
				   op == UNMAP ? RXCACHE_CMD_CACHE_DEL : RXDSK_CMD_DISK_DEL, NLM_F_ACK);
			put_name(g, op == UNMAP ? RXCACHE_A_CACHE_NAME : RXDSK_A_DISK_NAME, kind, n, name);
			err = genl_talk(g, NULL);
			if (err)
				usleep(10000);
		} while (err != ENODEV && time(NULL) < limit);
		if (err != ENODEV)
			fail("can't end", name, err, g->text);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[ADMINS + USERS];
	struct genl g;
	int n = 0;

	if (argc < 4 || argc > 3 + ORIGINS)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	origins = argc - 3;
	origin = argv + 3;
	genl_open(&g);
	rxdsk = genl_family(&g, RXDSK_FAMILY_NAME);
	rxcache = genl_family(&g, RXCACHE_FAMILY_NAME);
	if (!rxdsk || !rxcache || name_origins()) {
		perror("lives: no family, or no origin");
		return 2;
	}
	end = time(NULL) + atoi(argv[2]);
	for (uintptr_t i = 0; i < ADMINS; i++)
		pthread_create(&t[n++], NULL, admin, (void *)i);
	for (uintptr_t i = 0; i < USERS; i++)
		pthread_create(&t[n++], NULL, user, (void *)i);
	while (n)
		pthread_join(t[--n], NULL);
	end_all(&g, UNMAP, "rxc");
	end_all(&g, DETACH, "rxd");
	for (int i = 0; i < OPS; i++)
		printf("%s %ld/%ld ", ops[i].name, done[i], done[i] + refused[i]);
	printf("used: disks %ld caches %ld origins %ld others %ld\n", used[0], used[1], used[2], (long)others);
	return failed;
}
