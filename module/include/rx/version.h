/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of modules, tool and packages. "make lint" compares it with
 * conf/debian/changelog, which has to have the version as text.
 */
#ifndef _RX_VERSION_H
#define _RX_VERSION_H

#define RX_VERSION	"0.1"

#endif
