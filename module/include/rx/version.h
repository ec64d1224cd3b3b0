/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of modules, tool and packages. What has to hold it as text,
 * conf/debian/changelog, is compared with it by "make lint".
 */
#ifndef _RX_VERSION_H
#define _RX_VERSION_H

#define RX_VERSION	"0.1"

#endif
