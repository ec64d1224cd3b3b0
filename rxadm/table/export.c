// SPDX-License-Identifier: GPL-2.0-only
/* The options of a line of the table that export its disk or cache: what is wrong with them. */
#include <string.h>

#include "base/strv.h"
#include "system/address.h"
#include "table/export.h"
#include "table/table.h"

/* Addresses and hosts, so that the command of the line has room for its other options. */
#define EXPORT_MOST	120

static const char *address_of(const char *text)
{
	const char *addr = strchr(text, ':');

	return addr ? addr + 1 : "127.0.0.1";
}

/* Returns the place in nvmet_transports[] of "TRANSPORT[:...]", or NVMET_TRANSPORTS. */
static size_t transport_of(const char *text)
{
	size_t len = strcspn(text, ":"), i;

	for (i = 0; i < NVMET_TRANSPORTS; i++)
		if (strlen(nvmet_transports[i]) == len && !strncmp(text, nvmet_transports[i], len))
			break;
	return i;
}

/*
 * Reads "TRANSPORT", "TRANSPORT:ADDR" or "TRANSPORT:ADDR:PORT". RDMA has no loopback, so it
 * needs an address.
 */
bool tab_export_parse(const char *text, struct rx_port *port)
{
	size_t len = strcspn(text, ":"), transport = transport_of(text);
	char why[512];

	*port = (struct rx_port){ .id = 0 };
	if (transport < NVMET_TRANSPORTS)
		snprintf(port->transport, sizeof(port->transport), "%s", nvmet_transports[transport]);
	if (!strcmp(port->transport, "loop"))
		return !text[len];
	if (!strcmp(port->transport, "rdma") && !text[len])
		return false;
	return *port->transport && address_parse(address_of(text), NVMET_PORT, port, why, sizeof(why));
}

/* Checks the addresses of a line, which the verb export takes as one transport. */
static void check_ports(struct rx_tab *tab, struct tab_line *line)
{
	const struct rx_strv *v = &line->exports;
	struct rx_port port, other;
	size_t i, j;

	for (i = 1; i < v->n; i++) {
		tab_export_parse(v->v[i], &port);
		for (j = 0; j < i; j++) {
			tab_export_parse(v->v[j], &other);
			if (strcmp(other.transport, port.transport))
				tab_wrong(tab, line, "export '%s' and '%s' have two transports (one for all)",
					  v->v[j], v->v[i]);
			else if (port_same(&other, &port))
				tab_wrong(tab, line, "export '%s' is given twice (once)", v->v[i]);
			else
				continue;
			return;
		}
	}
}

/* Checks what the verb export would refuse: a host twice, and more than it takes. */
static void check_hosts(struct rx_tab *tab, struct tab_line *line)
{
	size_t i, j, n = line->hosts.n + line->exports.n;

	for (i = 0; i < line->hosts.n; i++) {
		for (j = 0; j < i && strcmp(line->hosts.v[i], line->hosts.v[j]); j++)
			;
		if (j < i)
			tab_wrong(tab, line, "host '%s' is given twice (once)", line->hosts.v[i]);
	}
	if (n > EXPORT_MOST)
		tab_wrong(tab, line, "export has %zu addresses and hosts (at most %d)", n, EXPORT_MOST);
}

void tab_check_export(struct rx_tab *tab, struct tab_line *line)
{
	static const enum tab_key others[] = { TAB_NQN, TAB_HOST, TAB_ANY_HOST };
	static const char *const names[] = { "nqn", "host", "any-host" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (line->text[others[i]] && !line->text[TAB_EXPORT])
			tab_wrong(tab, line, "%s makes no sense without export (export=tcp:192.0.2.1)",
				  names[i]);
	if (!line->text[TAB_EXPORT] || line->bad)
		return;
	if (!line->text[TAB_HOST] && !line->text[TAB_ANY_HOST])
		tab_wrong(tab, line, "export lets no host in (host=HOSTNQN, or any-host for all)");
	if (line->text[TAB_HOST] && line->text[TAB_ANY_HOST])
		tab_wrong(tab, line, "host and any-host exclude each other (host=HOSTNQN, or any-host for all)");
	if (line->text[TAB_READ_ONLY])
		tab_wrong(tab, line, "export and read-only exclude each other (the kernel's target opens a device for writing)");
	check_ports(tab, line);
	check_hosts(tab, line);
	tab_unique(tab, line, TAB_NQN, "nqn");
}

/* Tells whether other machines reach the export, so that it needs the network. */
bool tab_export_is_remote(const struct tab_line *line)
{
	struct rx_port port;
	size_t i;

	for (i = 0; i < line->exports.n; i++)
		if (tab_export_parse(line->exports.v[i], &port) && !address_is_loopback(&port))
			return true;
	return false;
}

/* Returns the place in nvmet_transports[] of the transport of all exports of a good line. */
size_t tab_export_transport(const struct tab_line *line)
{
	return transport_of(line->exports.v[0]);
}

/* Adds the addresses of the exports of a good line. The transport loop has none. */
void tab_export_addrs(const struct tab_line *line, struct rx_strv *addrs)
{
	size_t i;

	if (tab_export_transport(line) == TRANSPORT_LOOP)
		return;
	for (i = 0; i < line->exports.n; i++)
		strv_add(addrs, address_of(line->exports.v[i]));
}
