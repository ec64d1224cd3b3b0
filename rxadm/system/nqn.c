// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks NVMe qualified names, and derives the identity of an export: the same machine and
 * device, or the same name, always give the same identity, so that the links in
 * /dev/disk/by-id of an initiator survive a restart of the target.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "base/mem.h"
#include "base/sys.h"
#include "system/nqn.h"

#define BY_UUID		"nqn.2014-08.org.nvmexpress:uuid:"
#define DISCOVERY	"nqn.2014-08.org.nvmexpress.discovery"

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
		snprintf(why, len, "NQN '%.60s%s' %s; say for example nqn.2024-01.com.example:store",
			 nqn, strlen(nqn) > 60 ? "..." : "", wrong);
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
