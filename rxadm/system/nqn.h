/* SPDX-License-Identifier: GPL-2.0-only */
/* NVMe qualified names, and what initiators know an export by. */
#ifndef RXADM_NQN_H
#define RXADM_NQN_H

#include <stdbool.h>
#include <stddef.h>

#define NQN_LEN		224	/* 223 bytes and a zero */
#define NQN_UUID_LEN	37
#define NQN_SERIAL_LEN	21

bool nqn_check(const char *nqn, char *why, size_t len);
/* The name that an export of the device NAME has by default. False: no machine ID. */
bool nqn_default(const char *name, char nqn[NQN_LEN]);
/* The serial number of the subsystem, and the UUID of its namespace. */
void nqn_serial(const char *nqn, char serial[NQN_SERIAL_LEN]);
void nqn_uuid(const char *nqn, char uuid[NQN_UUID_LEN]);

#endif
