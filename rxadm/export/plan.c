// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the options of an export, and fits it into what is configured already: a port that
 * has the address is used again, others get the lowest free numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "export/nvmet.h"
#include "export/plan.h"
#include "export/record.h"
#include "system/address.h"

static bool has_port(const struct rx_export *export, const struct rx_port *port)
{
	size_t i;

	for (i = 0; i < export->ports.n; i++)
		if (port_same(&export->ports.at[i], port))
			return true;
	return false;
}

static int add_port(const char *verb, const char *text, uint64_t service, int transport,
		    struct rx_export *export)
{
	struct rx_port port = { 0 };
	char why[512];

	snprintf(port.transport, sizeof(port.transport), "%s", nvmet_transports[transport]);
	if (text && !address_parse(text, service, &port, why, sizeof(why)))
		return usage_error("%s: %s", verb, why);
	if (has_port(export, &port))
		return usage_error("%s: address '%s' is given twice", verb, text);
	ports_add(&export->ports, &port);
	return RX_OK;
}

static int read_ports(const struct rx_export_words *words, struct rx_export *export)
{
	const struct rx_strv *addrs = &words->addrs;
	const char *verb = words->verb;
	int ret = RX_OK;
	size_t i;

	if (words->transport == TRANSPORT_LOOP && (addrs->n || words->port))
		return usage_error("%s: the transport loop stays within this machine; leave --addr and --port out",
				   verb);
	if (words->service > 65535)
		return usage_error("%s: port %s is too large; at most 65535", verb, words->port);
	if (words->transport == TRANSPORT_RDMA && !addrs->n)
		return usage_error("%s: the transport rdma has no address by default; say --addr, with one of an RDMA device (see: rdma link)",
				   verb);
	if (!addrs->n)
		return add_port(verb, words->transport == TRANSPORT_LOOP ? NULL : "127.0.0.1",
				words->service, words->transport, export);
	for (i = 0; i < addrs->n && !ret; i++)
		ret = add_port(verb, addrs->v[i], words->service, words->transport, export);
	return ret;
}

static int read_hosts(const struct rx_export_words *words, struct rx_export *export)
{
	const char *verb = words->verb;
	char why[256];
	size_t i;

	for (i = 0; i < words->hosts.n; i++)
		strv_add(&export->hosts, words->hosts.v[i]);
	export->any_host = words->any_host;
	if (!export->hosts.n && !export->any_host)
		return usage_error("%s: who may connect? say --host HOSTNQN (on the host, in /etc/nvme/hostnqn), or --any-host",
				   verb);
	for (i = 0; i < export->hosts.n; i++)
		if (!nqn_check(export->hosts.v[i], why, sizeof(why)))
			return usage_error("%s: host %s", verb, why);
	strv_sort(&export->hosts);
	for (i = 1; i < export->hosts.n; i++)
		if (!strcmp(export->hosts.v[i - 1], export->hosts.v[i]))
			return usage_error("%s: host '%s' is given twice", verb,
					   export->hosts.v[i]);
	return RX_OK;
}

int plan_read(const struct rx_export_words *words, const char *name, struct rx_export *export)
{
	const char *nqn = words->nqn, *verb = words->verb;
	char why[256];

	snprintf(export->name, sizeof(export->name), "%s", name);
	if (nqn && !nqn_check(nqn, why, sizeof(why)))
		return usage_error("%s: %s", verb, why);
	if (nqn)
		snprintf(export->nqn, sizeof(export->nqn), "%s", nqn);
	if (read_hosts(words, export) || read_ports(words, export))
		return RX_USAGE;
	if (!nqn && !nqn_default(name, export->nqn))
		return usage_error("%s: /etc/machine-id has no ID of which to make a name; run: systemd-machine-id-setup, or say --nqn",
				   verb);
	return RX_OK;
}

static bool same_hosts(const struct rx_export *a, const struct rx_export *b)
{
	size_t i;

	for (i = 0; i < a->hosts.n && i < b->hosts.n; i++)
		if (strcmp(a->hosts.v[i], b->hosts.v[i]))
			return false;
	return a->hosts.n == b->hosts.n && a->any_host == b->any_host;
}

char *plan_differs(const struct rx_export *is, const struct rx_export *want)
{
	char *text, *address;
	size_t i;

	if (strcmp(is->nqn, want->nqn))
		return mem_text("is exported as %s, the table says %s", is->nqn, want->nqn);
	if (!same_hosts(is, want))
		return mem_dup("is exported to other hosts than the table says");
	for (i = 0; i < want->ports.n; i++) {
		if (has_port(is, &want->ports.at[i]))
			continue;
		address = address_text(&want->ports.at[i]);
		text = mem_text("is not exported at %s, the table says so", address);
		free(address);
		return text;
	}
	return is->ports.n == want->ports.n ? NULL :
		mem_dup("is exported at more addresses than the table says");
}

static const struct rx_port *by_id(const struct rx_ports *ports, unsigned int id)
{
	size_t i;

	for (i = 0; i < ports->n; i++)
		if (ports->at[i].id == id)
			return &ports->at[i];
	return NULL;
}

/* Gives the port the number of one that has its address, or a free one. */
static void fit_port(struct rx_port *port, struct rx_ports *there)
{
	size_t i;

	port->own = true;
	for (i = 0; i < there->n; i++) {
		if (!port_same(&there->at[i], port))
			continue;
		port->id = there->at[i].id;
		port->own = export_owns(NULL, port);
		return;
	}
	for (port->id = 1; by_id(there, port->id); )
		port->id++;
	ports_add(there, port);
}

/* A dry run has shown how the leftovers of other runs are removed. */
int plan_check(const char *verb, const struct rx_export *export)
{
	struct rx_export other;
	bool ours = export_load(export->name, &other), left = ours && export_is_left(&other);

	if (ours && !(left && rx.dry_run)) {
		say(verb, export->name, "is half exported as %s; run: rxadm unexport %s",
		    other.nqn, export->name);
		export_free(&other);
		return RX_KERNEL;
	}
	export_free(&other);
	if (!nvmet_has("subsystems/%s", export->nqn))
		return RX_OK;
	ours = export_find(export->nqn, &other);
	left = ours && export_is_left(&other) && export_is_ours(&other);
	if (ours && !left)
		say(verb, export->name, "%s is the name of the export of %s; choose another --nqn",
		    export->nqn, other.name);
	else if (!ours)
		say(verb, export->name, "%s was made by another program; choose another --nqn",
		    export->nqn);
	export_free(&other);
	return left && rx.dry_run ? RX_OK : RX_KERNEL;
}

/* Tells whether a port of an export that was made is there, or begun: that is made to its end. */
static bool is_there(const struct rx_port *port, const struct rx_ports *there)
{
	const struct rx_port *is = by_id(there, port->id);

	return is && (port_same(is, port) || (port->own && port_unset(is)));
}

void plan_fit(struct rx_export *export)
{
	bool made = export->stage == EXPORT_MADE;
	struct rx_ports there = { 0 };
	const char *host;
	size_t i;

	nvmet_ports(&there);
	for (i = 0; i < export->ports.n; i++)
		if (!made || !is_there(&export->ports.at[i], &there))
			fit_port(&export->ports.at[i], &there);
	ports_free(&there);
	for (i = 0; i < export->hosts.n; i++) {
		host = export->hosts.v[i];
		if ((!nvmet_has("hosts/%s", host) || export_owns(host, NULL)) &&
		    !strv_has(&export->own_hosts, host))
			strv_add(&export->own_hosts, host);
	}
}
