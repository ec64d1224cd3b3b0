// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the module rxcache. */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <rx/version.h>
#include <uapi/linux/rxcache.h>
#include "cache.h"
#include "compat.h"
#include "io/io.h"
#include "io/part.h"
#include "life/message.h"
#include "memory/shortage.h"
#include "packed/pack.h"

static int __init rxc_init(void)
{
	int err = -ENOMEM;

	rxc_io_cache = KMEM_CACHE(rxc_io, 0);
	if (!rxc_io_cache)
		return -ENOMEM;
	rxc_wait_cache = KMEM_CACHE(rxc_wait, 0);
	if (!rxc_wait_cache)
		goto err_wait_cache;
	/* Reads after a failed fill use retry_wq. */
	rxc_end_wq = alloc_workqueue("rxcache_end",
				     WQ_MEM_RECLAIM | WQ_HIGHPRI | RX_WQ_PERCPU, 0);
	if (!rxc_end_wq)
		goto err_end_wq;
	rxc_life_wq = alloc_workqueue("rxcache_life", WQ_UNBOUND, 0);
	if (!rxc_life_wq)
		goto err_life_wq;
	err = rxc_shortage_init();
	if (err)
		goto err_shortage;
	err = rxc_pack_init();
	if (err)
		goto err_pack;
	err = rxc_message_init();
	if (err)
		goto err_netlink;
	return 0;

err_netlink:
	rxc_pack_exit();
err_pack:
	rxc_shortage_exit();
err_shortage:
	destroy_workqueue(rxc_life_wq);
err_life_wq:
	destroy_workqueue(rxc_end_wq);
err_end_wq:
	kmem_cache_destroy(rxc_wait_cache);
err_wait_cache:
	kmem_cache_destroy(rxc_io_cache);
	return err;
}

/*
 * No cache exists, because each holds a reference to the module until the last lines
 * of its stop or failed start. None can be made, because try_module_get() fails now.
 * The flush waits for those last lines, which run on rxc_life_wq.
 * synchronize_rcu_tasks() waits for a task that is returning from a gendisk's method.
 */
static void __exit rxc_exit(void)
{
	flush_workqueue(rxc_life_wq);
	synchronize_rcu_tasks();
	rxc_message_exit();
	rxc_pack_exit();
	rxc_shortage_exit();
	destroy_workqueue(rxc_life_wq);
	destroy_workqueue(rxc_end_wq);
	kmem_cache_destroy(rxc_wait_cache);
	kmem_cache_destroy(rxc_io_cache);
}

module_init(rxc_init);
module_exit(rxc_exit);

MODULE_AUTHOR("The rxdsk authors");
MODULE_DESCRIPTION("Write-through read cache in memory over a slow block device");
MODULE_LICENSE("GPL");
MODULE_VERSION(RX_VERSION);
MODULE_ALIAS_GENL_FAMILY(RXCACHE_FAMILY_NAME);
