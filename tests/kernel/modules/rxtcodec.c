// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtcodec.ko: each @every-th call of the kernel's function @function, a compressor or a
 * decompressor, fails with EINVAL before it has done anything. Only on kernels with kprobes.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *function = "lz4_sdecompress";
module_param(function, charp, 0444);

static unsigned int every = 3;
module_param(every, uint, 0444);

static atomic_t calls, failed;

module_param_named(failed, failed.counter, int, 0444);

/* Takes the place of the function, with its arguments and its caller. */
static noinline int refuse(void)
{
	return -EINVAL;
}

static int enter(struct kprobe *probe, struct pt_regs *regs)
{
	if (atomic_inc_return(&calls) % every)
		return 0;
	atomic_inc(&failed);
	instruction_pointer_set(regs, (unsigned long)refuse);
	return 1;
}

static struct kprobe probe = { .pre_handler = enter };

static int __init codec_init(void)
{
	probe.symbol_name = function;
	return every ? register_kprobe(&probe) : -EINVAL;
}

static void __exit codec_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(codec_init);
module_exit(codec_exit);
MODULE_DESCRIPTION("Lets compressors fail, for tests");
MODULE_LICENSE("GPL");
