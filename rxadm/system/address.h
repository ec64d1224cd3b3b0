/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses of ports, as users write them and as the kernel's target has them. */
#ifndef RXADM_ADDRESS_H
#define RXADM_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct rx_port;

bool address_parse(const char *text, unsigned int service, struct rx_port *port, char *why,
		   size_t len);
void address_canonical(struct rx_port *port);
bool address_is_loopback(const struct rx_port *port);
char *address_text(const struct rx_port *port);

#endif
