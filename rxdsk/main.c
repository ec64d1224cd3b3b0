// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the module. Loading alone makes no disk and takes no memory. */
#include <linux/module.h>
#include <rx/version.h>
#include "rxdsk.h"

static int __init rxd_init(void)
{
	int err;

	rxd_mem_init();
	err = rxd_reap_module_init();
	if (err)
		return err;
	err = rxd_tree_module_init();
	if (err)
		goto err_reap;
	err = rxd_clear_module_init();
	if (err)
		goto err_tree;
	err = rxd_io_init();
	if (err)
		goto err_clear;
	err = rxd_wait_module_init();
	if (err)
		goto err_io;
	err = rxd_state_module_init();
	if (err)
		goto err_wait;
	/* This comes last, because disks can be attached from here on. */
	err = rxd_message_init();
	if (err)
		goto err_state;
	return 0;

err_state:
	rxd_state_module_exit();
err_wait:
	rxd_wait_module_exit();
err_io:
	rxd_io_exit();
err_clear:
	rxd_clear_module_exit();
err_tree:
	rxd_tree_module_exit();
err_reap:
	rxd_reap_module_exit();
	return err;
}

/*
 * Each disk holds a reference to the module, so there is no disk any more, and none can
 * be attached. The last lines of a detach, which send an event, may still run.
 */
static void __exit rxd_exit(void)
{
	rxd_state_module_stop();
	rxd_message_exit();
	rxd_state_module_exit();
	rxd_wait_module_exit();
	rxd_io_exit();
	rxd_clear_module_exit();
	rxd_tree_module_exit();
	rxd_reap_module_exit();
}

module_init(rxd_init);
module_exit(rxd_exit);

MODULE_AUTHOR("The rxdsk authors");
MODULE_DESCRIPTION("RAM disks that take memory as they are written");
MODULE_LICENSE("GPL");
MODULE_VERSION(RX_VERSION);
