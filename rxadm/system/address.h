/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses of ports, as users write them and as the kernel's target has them. */
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

#endif
