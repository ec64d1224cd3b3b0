// SPDX-License-Identifier: GPL-2.0-only
/* Names and addresses of exports: which are accepted, and what is derived from them. */
#include <string.h>

#include "export/nvmet.h"
#include "system/address.h"
#include "rx_test.h"

#define UUID	"11111111-2222-4333-8444-555555555555"

static const struct {
	const char *nqn;
	const char *wrong;	/* NULL: good */
} names[] = {
	{ "nqn.2014-08.org.nvmexpress:uuid:" UUID, NULL },
	{ "nqn.2024-01.com.example:store", NULL },
	{ "nqn.1988-11.com.dell:powerstore:00:abc", NULL },
	{ "nqn.2024-12.x", NULL },
	{ "", "begin" }, { "nqn", "begin" }, { "store", "begin" },
	{ "nqn.2024-01.", "begin" }, { "nqn.24-01.com.example", "begin" },
	{ "NQN.2024-01.com.example:a", "begin" },
	{ "nqn.2024-00.com.example:a", "month" }, { "nqn.2024-13.com.example:a", "month" },
	{ "nqn.2024-01.com.example:a b", "character" },
	{ "nqn.2024-01.com.example:a/b", "character" },
	{ "nqn.2024-01.com.example:a,b", "character" }, { "nqn.2024-01.com.example:$(a)", "character" },
	{ "nqn.2024-01.com.example:a;b", "character" }, { "nqn.2024-01.com.example:A_b+c-d.e", NULL },
	{ "nqn.2024-01.com.example:\303\244", "character" },
	{ "nqn.2024-01.com.example:\n", "character" },
	{ "nqn.2014-08.org.nvmexpress.discovery", "discovery" },
	{ "nqn.2014-08.org.nvmexpress:uuid:", "UUID" },
	{ "nqn.2014-08.org.nvmexpress:uuid:1234", "UUID" },
	{ "nqn.2014-08.org.nvmexpress:uuid:" UUID "0", "UUID" },
};

static void test_names(void)
{
	char why[256], text[NQN_LEN + 1];
	size_t i;
	bool good;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		good = nqn_check(names[i].nqn, why, sizeof(why));
		check(good == !names[i].wrong && (good || strstr(why, names[i].wrong)), "the name '%s'", names[i].nqn[0] ? names[i].nqn : "");
	}
	memset(text, 'a', sizeof(text));
	memcpy(text, "nqn.2024-01.", 12);
	text[222] = '\0';
	check(nqn_check(text, why, sizeof(why)), "222 characters");
	text[222] = 'a';
	text[223] = '\0';
	check(!nqn_check(text, why, sizeof(why)) && strstr(why, "longer"), "but not 223");
}

/* PORT is "FAMILY ADDR SERVICE"; NULL: refused. */
static const struct {
	const char *text, *port;
} addresses[] = {
	{ "127.0.0.1", "ipv4 127.0.0.1 4420" }, { "192.0.2.1:8009", "ipv4 192.0.2.1 8009" },
	{ "0.0.0.0", "ipv4 0.0.0.0 4420" }, { "[192.0.2.1]:1", "ipv4 192.0.2.1 1" },
	{ "::", "ipv6 :: 4420" }, { "::1", "ipv6 ::1 4420" },
	{ "2001:DB8:0:0::1", "ipv6 2001:db8::1 4420" },
	{ "[2001:db8::1]", "ipv6 2001:db8::1 4420" },
	{ "[2001:db8::1]:65535", "ipv6 2001:db8::1 65535" },
	{ "fe80::1%eth0", "ipv6 fe80::1%eth0 4420" },
	{ "[fe80:0::1%eth0]:5", "ipv6 fe80::1%eth0 5" },
	{ "", NULL }, { "storage", NULL }, { "storage:4420", NULL }, { "192.0.2", NULL },
	{ "192.0.2.1:", NULL }, { "192.0.2.1:0", NULL }, { "192.0.2.1:65536", NULL },
	{ "192.0.2.1:x", NULL }, { "192.0.2.1:-1", NULL }, { "192.0.2.256", NULL },
	{ "fe80::1", NULL }, { "::1%lo", NULL }, { "fe80::1%a b", NULL },
	{ "fe80::1%0123456789abcde", "ipv6 fe80::1%0123456789abcde 4420" },
	{ "fe80::1%0123456789abcdef", NULL }, { "[::1", NULL }, { "[::1]4420", NULL }, { "::1%", NULL }, { ":::", NULL },
	{ "2001:db8::1:99999", NULL },
};

static void test_addresses(void)
{
	struct rx_port port;
	char why[512], is[300];
	size_t i;
	bool good;

	for (i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		port = (struct rx_port){ .id = 0 };
		good = address_parse(addresses[i].text, 4420, &port, why, sizeof(why));
		snprintf(is, sizeof(is), "%s %s %s", port.family, port.addr, port.service);
		check_str(good ? is : "refused", addresses[i].port ? addresses[i].port : "refused",
			  "the address '%s'", addresses[i].text);
	}
}

/* They must stay what they are, because initiators know devices by them. */
static void test_identity(void)
{
	char serial[NQN_SERIAL_LEN], uuid[NQN_UUID_LEN];

	nqn_serial("nqn.2024-01.com.example:store", serial);
	nqn_uuid("nqn.2024-01.com.example:store", uuid);
	check_str(serial, "b0eb46709ee25c44ba9e", "the serial number of a name");
	check_str(uuid, "80a6343e-e92c-54d3-b5f1-4df8ccf5c7c4", "the UUID of a name");
}

int main(void)
{
	test_names();
	test_addresses();
	test_identity();
	return done();
}
