// SPDX-License-Identifier: GPL-2.0-only
/* The file in debugfs: a line is read, checked, run and answered. */
#include <linux/blkdev.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "rxtbio.h"

/* One open file. */
struct rxt_file {
	struct mutex lock;
	struct rxt_text text;		/* lock */
};

static struct dentry *rxt_dentry;

int rxt_refuse(struct rxt_text *t, int err, const char *why, ...)
{
	va_list args;
	int n;

	n = scnprintf(t->s, sizeof(t->s), "error: ");
	va_start(args, why);
	n += vscnprintf(t->s + n, sizeof(t->s) - n - 1, why, args);
	va_end(args);
	t->s[n] = '\n';
	t->s[n + 1] = '\0';
	return err;
}

/* The words that are numbers. */
static const struct {
	const char *name;
	size_t at;
	u64 min;
	u64 max;
} numbers[] = {
	{ "size", offsetof(struct rxt_spec, size), 512, RXT_SIZE_MAX },
	{ "depth", offsetof(struct rxt_spec, depth), 1, RXT_DEPTH_MAX },
	{ "jobs", offsetof(struct rxt_spec, jobs), 1, RXT_JOBS_MAX },
	{ "span", offsetof(struct rxt_spec, span), 0, S64_MAX },
	{ "offset", offsetof(struct rxt_spec, offset), 0, S64_MAX },
	{ "ms", offsetof(struct rxt_spec, ms), 1, RXT_MS_MAX },
	{ "bios", offsetof(struct rxt_spec, bios), 0, S64_MAX },
};

static int parse_number(struct rxt_spec *spec, const char *name,
			const char *value, struct rxt_text *t)
{
	char *end;
	u64 n;
	int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(numbers[i].name, name))
			break;
	if (i == ARRAY_SIZE(numbers))
		return rxt_refuse(t, -EINVAL,
				  "no word '%.32s' (dev, rw, size, depth, jobs, span, offset, ms, bios)",
				  name);
	n = memparse(value, &end);
	if (end == value || *end || value[0] == '-')
		return rxt_refuse(t, -EINVAL, "%s=%.32s is no number", name,
				  value);
	if (n < numbers[i].min || n > numbers[i].max)
		return rxt_refuse(t, -ERANGE, "%s is %llu to %llu", name,
				  numbers[i].min, numbers[i].max);
	*(u64 *)((void *)spec + numbers[i].at) = n;
	return 0;
}

static int parse_rw(struct rxt_spec *spec, const char *value,
		    struct rxt_text *t)
{
	const char *way = value;

	spec->random = !strncmp(value, "rand", 4);
	if (spec->random)
		way += 4;
	spec->write = !strcmp(way, "write");
	if (!spec->write && strcmp(way, "read"))
		return rxt_refuse(t, -EINVAL,
				  "rw is read, write, randread or randwrite");
	return 0;
}

static int parse(struct rxt_spec *spec, char *line, struct rxt_text *t)
{
	char *word, *value;
	int err;

	while ((word = strsep(&line, " \t\n"))) {
		if (!*word)
			continue;
		value = strchr(word, '=');
		if (!value)
			return rxt_refuse(t, -EINVAL, "'%.32s' has no '='", word);
		*value++ = '\0';
		if (!strcmp(word, "rw"))
			err = parse_rw(spec, value, t);
		else if (strcmp(word, "dev"))
			err = parse_number(spec, word, value, t);
		else if (strscpy(spec->dev, value, sizeof(spec->dev)) < 0)
			err = rxt_refuse(t, -EINVAL, "dev is too long");
		else
			err = 0;
		if (err)
			return err;
	}
	if (!spec->dev[0])
		return rxt_refuse(t, -EINVAL, "dev= is missing");
	return 0;
}

/* What no device has a say in. */
static int check_span(struct rxt_spec *spec, struct rxt_text *t)
{
	if (spec->span < spec->size)
		return rxt_refuse(t, -EINVAL, "the span holds no bio");
	if (div64_u64(spec->span, spec->size) > U32_MAX)
		return rxt_refuse(t, -EINVAL, "the span has over 2^32 places");
	if (spec->jobs * spec->depth * max_t(u64, spec->size, PAGE_SIZE) >
	    RXT_BUFFERS_MAX)
		return rxt_refuse(t, -EINVAL,
				  "jobs x depth x size is at most %d bytes",
				  RXT_BUFFERS_MAX);
	return 0;
}

static int check_memory(struct rxt_spec *spec, struct rxt_text *t)
{
	if (PAGE_SIZE % spec->size && spec->size % PAGE_SIZE)
		return rxt_refuse(t, -EINVAL,
				  "of memory, size is a part or a multiple of %lu",
				  PAGE_SIZE);
	if (spec->span % RXT_MEMORY_CHUNK || spec->span > RXT_MEMORY_MAX ||
	    spec->offset)
		return rxt_refuse(t, -EINVAL,
				  "of memory, span is 1M to 1G in whole M, and offset 0");
	return check_span(spec, t);
}

/* What only the device tells. A span of 0 becomes all the rest. */
static int check_device(struct rxt_spec *spec, struct block_device *bdev,
			struct rxt_text *t)
{
	unsigned int block = bdev_logical_block_size(bdev);
	u64 bytes = bdev_nr_bytes(bdev);

	if (spec->size % block || spec->offset % block)
		return rxt_refuse(t, -EINVAL,
				  "size and offset are multiples of the device's %u",
				  block);
	if (spec->offset > bytes || spec->span > bytes - spec->offset)
		return rxt_refuse(t, -EINVAL, "the device has %llu bytes",
				  bytes);
	if (!spec->span)
		spec->span = bytes - spec->offset;
	if (spec->write && bdev_read_only(bdev))
		return rxt_refuse(t, -EROFS, "the device is read-only");
	return check_span(spec, t);
}

static int serve(char *line, struct rxt_text *t)
{
	struct rxt_spec spec = {
		.random	= true,
		.size	= 4096,
		.depth	= 1,
		.jobs	= 1,
		.ms	= 1000,
	};
	/* The device may go meanwhile; then its bios fail, and that ends the run. */
	struct rx_claim claim = {};
	dev_t dev;
	int err;

	err = parse(&spec, line, t);
	if (err)
		return err;
	if (!strcmp(spec.dev, "memory"))
		return check_memory(&spec, t) ?: rxt_run(&spec, NULL, t);
	err = lookup_bdev(spec.dev, &dev);
	if (err)
		return rxt_refuse(t, err, "%s is no block device", spec.dev);
	err = rx_claim_open(&claim, dev, !spec.write);
	if (err == -EBUSY)
		return rxt_refuse(t, err, "%s is in use", spec.dev);
	if (err)
		return rxt_refuse(t, err, "can't open %s: errno %d", spec.dev,
				  -err);
	err = check_device(&spec, claim.bdev, t);
	if (!err)
		err = rxt_run(&spec, claim.bdev, t);
	rx_claim_close(&claim);
	return err;
}

static ssize_t rxt_write(struct file *file, const char __user *buf,
			 size_t len, loff_t *pos)
{
	struct rxt_file *f = file->private_data;
	char *line;
	int err;

	line = len < PAGE_SIZE ? memdup_user_nul(buf, len) : ERR_PTR(-E2BIG);
	if (IS_ERR(line))
		return PTR_ERR(line);
	err = mutex_lock_killable(&f->lock);
	if (!err) {
		err = serve(line, &f->text);
		mutex_unlock(&f->lock);
	}
	kfree(line);
	/* The position is the reader's: its answer begins at 0. */
	*pos = 0;
	return err ?: len;
}

static ssize_t rxt_read(struct file *file, char __user *buf, size_t len,
			loff_t *pos)
{
	struct rxt_file *f = file->private_data;
	ssize_t n;

	n = mutex_lock_killable(&f->lock);
	if (n)
		return n;
	n = simple_read_from_buffer(buf, len, pos, f->text.s,
				    strlen(f->text.s));
	mutex_unlock(&f->lock);
	return n;
}

static int rxt_open(struct inode *inode, struct file *file)
{
	struct rxt_file *f = kzalloc(sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	mutex_init(&f->lock);
	file->private_data = f;
	return 0;
}

static int rxt_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

/* An open file keeps the module: nothing of ours runs when it goes. */
static const struct file_operations rxt_fops = {
	.owner		= THIS_MODULE,
	.open		= rxt_open,
	.release	= rxt_release,
	.write		= rxt_write,
	.read		= rxt_read,
};

static int __init rxt_init(void)
{
	rxt_dentry = debugfs_create_file("rxtbio", 0600, NULL, NULL, &rxt_fops);
	return PTR_ERR_OR_ZERO(rxt_dentry);
}

static void __exit rxt_exit(void)
{
	debugfs_remove(rxt_dentry);
}

module_init(rxt_init);
module_exit(rxt_exit);
MODULE_DESCRIPTION("bios from kernel threads, timed");
MODULE_LICENSE("GPL");
