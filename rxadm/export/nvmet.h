/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's NVMe target, as configfs shows it, whoever configured it. */
#ifndef RXADM_EXPORT_NVMET_H
#define RXADM_EXPORT_NVMET_H

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/sys.h"
#include "system/address.h"

#define NVMET		"/sys/kernel/config/nvmet"

struct rx_ports {
	struct rx_port *at;
	size_t n;
};

/* A namespace that is enabled. */
struct rx_namespace {
	char nqn[NQN_LEN];
	char device[64];	/* name of the kernel, such as rxd0 */
	char *path;		/* of its folder */
};

struct rx_namespaces {
	struct rx_namespace *at;
	size_t n;
};

bool nvmet_hidden(void);
/* Tells whether exports can be seen, and says so if not. */
bool exports_seen(const char *verb, const char *object);
int target_load(const char *verb, const char *object, const char *transport);
/* Returns the content of a file below nvmet/, or NULL. The caller frees it. */
#define nvmet_read(fmt, ...)	sys_read(sys_path(NVMET "/" fmt, ##__VA_ARGS__))
/* Tells whether a path exists below nvmet/. */
#define nvmet_has(fmt, ...)	(!access(sys_path(NVMET "/" fmt, ##__VA_ARGS__), F_OK))
int nvmet_write(const char *path, const char *value);
void nvmet_port(unsigned int id, struct rx_port *port);
void nvmet_ports(struct rx_ports *ports);
void ports_add(struct rx_ports *ports, const struct rx_port *port);
void ports_free(struct rx_ports *ports);
bool port_unset(const struct rx_port *port);
/* The enabled namespaces that are DEVICE or a part of it; all of them if DEVICE is NULL. */
void nvmet_namespaces(const char *device, struct rx_namespaces *all);
void namespaces_free(struct rx_namespaces *all);
/* Initiators learn that DEVICE has another size. */
void nvmet_resized(const char *device);

#endif
