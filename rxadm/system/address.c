// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads addresses of IPv4 and IPv6. Names are refused: what they lead to may change. Checks
 * NVMe qualified names, and derives the identity of an export: the same machine and device,
 * or the same name, always give the same identity, so that the links in /dev/disk/by-id of
 * an initiator survive a restart of the target.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <fnmatch.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uuid/uuid.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/sys.h"
#include "system/address.h"

#define BY_UUID		"nqn.2014-08.org.nvmexpress:uuid:"
#define DISCOVERY	"nqn.2014-08.org.nvmexpress.discovery"
#define INTERFACE_CHARS	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@"

const char *const nvmet_transports[NVMET_TRANSPORTS] = { "tcp", "rdma", "loop" };

/*
 * Splits "ADDR", "ADDR:PORT", "[ADDR]" and "[ADDR]:PORT". An address with two colons or
 * more is one of IPv6, all of it. Returns false if that can't be done.
 */
static bool split(const char *text, char *addr, size_t len, const char **service)
{
	const char *end = strchr(text, ':');
	size_t n;

	*service = NULL;
	if (*text == '[') {
		end = strchr(++text, ']');
		if (!end || (end[1] && end[1] != ':'))
			return false;
		*service = end[1] ? end + 2 : NULL;
	} else if (end && !strchr(end + 1, ':')) {
		*service = end + 1;
	} else {
		end = text + strlen(text);
	}
	n = end - text;
	if (n >= len)
		return false;
	memcpy(addr, text, n);
	addr[n] = '\0';
	return true;
}

static bool service_parse(const char *text, struct rx_port *port)
{
	unsigned long number;
	char *end;

	number = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || !number || number > 65535)
		return false;
	snprintf(port->service, sizeof(port->service), "%lu", number);
	return true;
}

/* Tells whether TEXT may be the name of a network interface, as far as one is to be typed. */
static bool is_interface(const char *text)
{
	size_t n = strlen(text);

	return n && n < IFNAMSIZ && strspn(text, INTERFACE_CHARS) == n;
}

/*
 * Writes addresses of IPv6 in one way. The scope of an address of a link, "%eth0", stays as
 * it is: without one, the kernel can't tell which link is meant, and no other address has
 * one. Returns false if the address is none of the port's family.
 */
static bool canonical(struct rx_port *port)
{
	char addr[INET6_ADDRSTRLEN], text[NVMET_ADDR_LEN];
	char *scope = strchr(port->addr, '%');
	struct in6_addr bytes;
	int n = scope ? (int)(scope - port->addr) : (int)strlen(port->addr);

	if (!strcmp(port->family, "ipv4"))
		return inet_pton(AF_INET, port->addr, &bytes) == 1;
	snprintf(text, sizeof(text), "%.*s", n, port->addr);
	if (inet_pton(AF_INET6, text, &bytes) != 1 ||
	    !IN6_IS_ADDR_LINKLOCAL(&bytes) != !scope || (scope && !is_interface(scope + 1)))
		return false;
	inet_ntop(AF_INET6, &bytes, addr, sizeof(addr));
	n = snprintf(text, sizeof(text), "%s%s", addr, scope ? scope : "");
	memcpy(port->addr, text, n + 1);
	return true;
}

void address_canonical(struct rx_port *port)
{
	if (!strcmp(port->family, "ipv6"))
		canonical(port);
}

/* Reads an address, whose port is SERVICE unless it names one. */
bool address_parse(const char *text, unsigned int service, struct rx_port *port, char *why,
		   size_t len)
{
	struct in6_addr bytes;
	const char *number;

	if (!split(text, port->addr, sizeof(port->addr), &number)) {
		snprintf(why, len, "'%s' is no address; say for example 192.0.2.1 or [2001:db8::1]:4420",
			 brief(text));
		return false;
	}
	snprintf(port->service, sizeof(port->service), "%u", service);
	if (number && !service_parse(number, port)) {
		snprintf(why, len, "'%s' has no port from 1 to 65535 at its end", brief(text));
		return false;
	}
	snprintf(port->family, sizeof(port->family), strchr(port->addr, ':') ? "ipv6" : "ipv4");
	if (canonical(port))
		return true;
	if (inet_pton(AF_INET6, port->addr, &bytes) == 1)
		snprintf(why, len, "'%s' is an address of a link; say of which, for example %s%%eth0",
			 brief(text), port->addr);
	else
		snprintf(why, len, "'%s' is no address in numbers; say for example 192.0.2.1 or 2001:db8::1",
			 brief(text));
	return false;
}

/* Tells whether two ports have the same address. There is one address within a machine. */
bool port_same(const struct rx_port *a, const struct rx_port *b)
{
	if (strcmp(a->transport, b->transport))
		return false;
	return !strcmp(a->transport, "loop") ||
	       (!strcmp(a->family, b->family) && !strcmp(a->addr, b->addr) &&
		!strcmp(a->service, b->service));
}

/* Nobody but this machine reaches it. */
bool address_is_loopback(const struct rx_port *port)
{
	return !strcmp(port->transport, "loop") || !strncmp(port->addr, "127.", 4) ||
	       !strcmp(port->addr, "::1");
}

/* Returns ADDR:PORT, or the transport where there is no address. The caller frees it. */
char *address_text(const struct rx_port *port)
{
	if (!*port->addr)
		return mem_dup(port->transport);
	return mem_text(!strcmp(port->family, "ipv6") ? "[%s]:%s" : "%s:%s", port->addr,
			port->service);
}

static const char *what_is_wrong(const char *nqn)
{
	const char *p;
	uuid_t uuid;

	/* The initiator of Linux takes no more, and ends a name at a comma. */
	if (strlen(nqn) >= NQN_LEN - 1)
		return "is longer than 222 characters";
	for (p = nqn; *p; p++)
		if (!isascii((unsigned char)*p) ||
		    (!isalnum((unsigned char)*p) && !strchr(".:_+-", *p)))
			return "has a character that no name may have here";
	if (fnmatch("nqn.[0-9][0-9][0-9][0-9]-[0-9][0-9].?*", nqn, 0))
		return "does not begin with nqn.YEAR-MONTH. and a domain";
	if (atoi(nqn + 9) < 1 || atoi(nqn + 9) > 12)
		return "has no such month";
	if (!strcmp(nqn, DISCOVERY))
		return "is the name of the discovery service";
	if (!strncmp(nqn, BY_UUID, strlen(BY_UUID)) && uuid_parse(nqn + strlen(BY_UUID), uuid))
		return "has no UUID at its end";
	return NULL;
}

/* Checks the form of a name. If it is wrong, WHY says so and what to say instead. */
bool nqn_check(const char *nqn, char *why, size_t len)
{
	const char *wrong = what_is_wrong(nqn);

	if (wrong)
		snprintf(why, len, "NQN '%s' %s; say for example nqn.2024-01.com.example:store", brief(nqn), wrong);
	return !wrong;
}

/* The same name gives the same identity, on all machines. */
static void derive_identity(const char *what, const char *nqn, uuid_t uuid)
{
	/* Made at random, for this alone. */
	static const uuid_t space = {
		0x41, 0x7f, 0x14, 0x3f, 0xea, 0x2d, 0x45, 0xab,
		0xa8, 0xc0, 0x5d, 0x0a, 0xfc, 0x5c, 0x65, 0x5b,
	};
	char *text = mem_text("%s of %s", what, nqn);

	uuid_generate_sha1(uuid, space, text, strlen(text));
	free(text);
}

/* Makes the name of the export that this machine has of NAME. Returns false without a machine ID. */
bool nqn_default(const char *name, char nqn[NQN_LEN])
{
	char *id = sys_read(sys_path("/etc/machine-id")), *text, uuid[UUID_STR_LEN];
	bool good = id && strlen(id) == 32;
	uuid_t machine, bytes;

	/* It is a UUID without hyphens. */
	text = good ? mem_text("%.8s-%.4s-%.4s-%.4s-%s", id, id + 8, id + 12, id + 16, id + 20) :
		      NULL;
	good = good && !uuid_parse(text, machine);
	free(text);
	free(id);
	if (!good)
		return false;
	text = mem_text("rxadm export %s", name);
	/* machine-id(5) wants its ID to be seen only as a key, and nobody finds that from this. */
	uuid_generate_sha1(bytes, machine, text, strlen(text));
	uuid_unparse_lower(bytes, uuid);
	snprintf(nqn, NQN_LEN, BY_UUID "%s", uuid);
	free(text);
	return true;
}

void nqn_serial(const char *nqn, char serial[NQN_SERIAL_LEN])
{
	uuid_t bytes;
	int i;

	derive_identity("serial number", nqn, bytes);
	for (i = 0; i < (NQN_SERIAL_LEN - 1) / 2; i++)
		sprintf(serial + 2 * i, "%02x", bytes[i]);
}

void nqn_uuid(const char *nqn, char uuid[NQN_UUID_LEN])
{
	uuid_t bytes;

	derive_identity("namespace 1", nqn, bytes);
	uuid_unparse_lower(bytes, uuid);
}
