/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses of ports, as users write them and as the kernel's target has them; NVMe
 * qualified names, and what initiators know an export by.
 */
#ifndef RXADM_ADDRESS_H
#define RXADM_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#define NVMET_PORT	4420		/* that of NVMe over TCP and RDMA, by default */
#define NVMET_ADDR_LEN	256

/* In the order of the choices of --transport. */
enum { TRANSPORT_TCP, TRANSPORT_RDMA, TRANSPORT_LOOP, NVMET_TRANSPORTS };
extern const char *const nvmet_transports[NVMET_TRANSPORTS];

/* Where the target is reached. The texts are those of the attributes of configfs. */
struct rx_port {
	unsigned int id;
	bool own;		/* rxadm made it */
	char transport[8];	/* tcp, rdma, loop; "": none yet */
	char family[8];		/* ipv4, ipv6; "": none */
	char addr[NVMET_ADDR_LEN], service[8];
};

bool address_parse(const char *text, unsigned int service, struct rx_port *port, char *why,
		   size_t len);
void address_canonical(struct rx_port *port);
bool port_same(const struct rx_port *a, const struct rx_port *b);
bool address_is_loopback(const struct rx_port *port);
char *address_text(const struct rx_port *port);

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
