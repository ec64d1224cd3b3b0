// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes recordings, and answers from them in tests without a kernel.
 * RXADM_RECORD=FILE writes down the requests to a live kernel and its answers, and
 * RXADM_REPLAY=FILE answers from that file. A line is
 *
 *	absent FAMILY			the module is not there
 *	> FAMILY OP ATTRIBUTES		a request that must come next
 *	> FAMILY OP dump		the same, for a list
 *	> FAMILY join			listening to events begins
 *	>* FAMILY OP ATTRIBUTES		one that may come any number of times
 *	< ATTRIBUTES			a reply to the request above
 *	! ERRNO WORDS			or its error
 *	~				or: the list changed while it was read
 *	@ FAMILY OP ATTRIBUTES		an event, after the request above
 *	@ overrun			events were lost
 *	@ interrupt			Ctrl-C
 *
 * or empty, or a comment after #. A request that differs from the next one
 * expected, and one that never came, end rxadm with status 99. But a check of a
 * request (validate) that is in no line finds nothing wrong.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netlink/msg.h>

#include "base/mem.h"
#include "base/sys.h"
#include "kernel/errtext.h"
#include "kernel/model.h"
#include "kernel/protocol.h"
#include "kernel/replay.h"
#include "kernel/request.h"

#include "attrtext.h"

#define REPLAY_BROKEN	99

struct line {
	char kind;		/* > * < ! ~ @ */
	bool spent;
	char *text;
};

static struct line *lines;
static size_t n_lines;
static bool loaded, absent[RX_FAMILIES];
static FILE *to;

static void broken(const char *what, const char *text)
{
	fflush(stdout);
	fprintf(stderr, "replay: %s: %s\n", what, text);
	_exit(REPLAY_BROKEN);
}

static int family_by_name(const char *name, size_t len)
{
	int family;

	for (family = 0; family < RX_FAMILIES; family++)
		if (strlen(model_family(family)) == len &&
		    !strncmp(model_family(family), name, len))
			return family;
	broken("no such family", name);
	return -1;
}

static void load_line(char *text)
{
	text[strcspn(text, "\n")] = '\0';
	if (!*text || *text == '#')
		return;
	if (!strncmp(text, "absent ", 7)) {
		absent[family_by_name(text + 7, strlen(text + 7))] = true;
		return;
	}
	if (!strchr("><!~@", *text))
		broken("no such line", text);
	lines = mem_grow(lines, n_lines, sizeof(*lines));
	lines[n_lines] = (struct line){ .kind = *text };
	if (!strncmp(text, ">*", 2))
		lines[n_lines].kind = *++text;
	text++;
	lines[n_lines++].text = mem_dup(text + strspn(text, " "));
}

static bool active(void)
{
	const char *path = sys_test_env("RXADM_REPLAY");
	char *text = NULL;
	size_t size = 0;
	FILE *f;

	if (!path || loaded)
		return path;
	f = fopen(path, "re");
	if (!f)
		broken(strerror(errno), path);
	while (getline(&text, &size, f) > 0)
		load_line(text);
	free(text);
	fclose(f);
	loaded = true;
	return true;
}

static bool is_absent(enum rx_family family)
{
	return absent[family];
}

static bool is_check(const char *text)
{
	const char *last = strrchr(text, ' ');

	return last && !strcmp(last, " validate");
}

/* Finds the line of the request; the events below it become due. */
static size_t find(const char *text)
{
	size_t i, next = 0;

	while (next < n_lines && (lines[next].kind != '>' || lines[next].spent))
		next++;
	if (next < n_lines && !strcmp(lines[next].text, text)) {
		lines[next].spent = true;
		return next;
	}
	for (i = 0; i < n_lines; i++)
		if (lines[i].kind == '*' && !strcmp(lines[i].text, text))
			return i;
	if (is_check(text))
		return n_lines;
	broken("unexpected", text);
	return 0;
}

static void set_error(struct rx_err *err, const char *text)
{
	size_t len = strcspn(text, " ");
	const char *name;
	int nr;

	for (nr = 1; nr < 200; nr++) {
		name = strerrorname_np(nr);
		if (name && strlen(name) == len && !strncmp(name, text, len))
			break;
	}
	if (nr == 200)
		broken("no such error", text);
	text += len;
	err_set(err, nr, "%s", text + strspn(text, " "));
}

static struct nl_msg *encode(enum rx_family family, const char *text)
{
	struct nl_msg *msg = nlmsg_alloc_size(16384);

	if (!msg)
		abort();
	if (model_from_text(family, text, msg))
		broken("attributes not understood", text);
	return msg;
}

static int replay_call(const struct rx_req *req,
		       int (*reply)(void *arg, const void *attrs, size_t len),
		       void *arg, struct rx_err *err)
{
	char *text = req_to_text(req);
	struct nl_msg *msg;
	size_t i = find(text);
	int ret = 0;

	free(text);
	for (i++; i < n_lines && !strchr(">*@", lines[i].kind); i++) {
		if (lines[i].kind == '!') {
			set_error(err, lines[i].text);
			ret = -1;
		} else if (lines[i].kind == '~') {
			ret = 1;
		} else {
			msg = encode(req->family, lines[i].text);
			reply(arg, nlmsg_data(nlmsg_hdr(msg)),
			      nlmsg_datalen(nlmsg_hdr(msg)));
			nlmsg_free(msg);
		}
	}
	return ret;
}

static void replay_join(enum rx_family family)
{
	char text[64];

	snprintf(text, sizeof(text), "%s join", model_family(family));
	find(text);
}

static enum rx_wait replay_wait(enum rx_family *family, const struct rx_op **op,
				struct nl_msg **attrs)
{
	char *text, name[64];
	size_t i, len;

	for (i = 0; i < n_lines; i++) {
		if (lines[i].kind == '>' && !lines[i].spent)
			return WAIT_TIMEOUT;
		if (lines[i].kind == '@' && !lines[i].spent)
			break;
	}
	if (i == n_lines)
		return WAIT_TIMEOUT;
	lines[i].spent = true;
	text = lines[i].text;
	if (!strcmp(text, "overrun"))
		return WAIT_OVERRUN;
	if (!strcmp(text, "interrupt"))
		return WAIT_SIGNAL;
	len = strcspn(text, " ");
	*family = family_by_name(text, len);
	text += len + strspn(text + len, " ");
	len = strcspn(text, " ");
	snprintf(name, sizeof(name), "%.*s", (int)len, text);
	*op = model_op(*family, name);
	if (!*op || !(*op)->event)
		broken("no such event", text);
	*attrs = encode(*family, text + len);
	return WAIT_EVENT;
}

/* Frees the recording. */
static int replay_finish(int status)
{
	size_t i;

	for (i = 0; i < n_lines; i++) {
		if (lines[i].kind == '>' && !lines[i].spent) {
			fprintf(stderr, "replay: never came: %s\n",
				lines[i].text);
			status = REPLAY_BROKEN;
		}
		free(lines[i].text);
	}
	free(lines);
	lines = NULL;
	n_lines = 0;
	return status;
}

/* Writes HEAD, which is freed, and the attributes. */
static void write_line(char *head, enum rx_family family, const void *attrs,
		       size_t len)
{
	char *text = model_to_text(family, attrs, len);

	fprintf(to, "%s%s\n", head, text);
	free(text);
	free(head);
}

static void record_request(const struct rx_req *req)
{
	char *text = req_to_text(req);

	fprintf(to, "> %s\n", text);
	free(text);
}

static void record_join(enum rx_family family)
{
	fprintf(to, "> %s join\n", model_family(family));
}

static void record_reply(enum rx_family family, const void *attrs, size_t len)
{
	write_line(mem_dup("<"), family, attrs, len);
}

static void record_error(const struct rx_err *err)
{
	const char *name = strerrorname_np(err->err);

	fprintf(to, "! %s %s\n", name ? name : "EIO", err->msg);
}

static void record_event(enum rx_family family, const struct rx_op *op,
			 const void *attrs, size_t len)
{
	write_line(mem_text("@ %s %s", model_family(family), op->name), family, attrs, len);
}

const struct rx_replay *replay(void)
{
	static const struct rx_replay replay = {
		.absent = is_absent, .call = replay_call, .join = replay_join,
		.wait = replay_wait, .finish = replay_finish,
	};

	return active() ? &replay : NULL;
}

const struct rx_record *record(void)
{
	static const struct rx_record record = {
		.request = record_request, .join = record_join, .reply = record_reply,
		.error = record_error, .event = record_event,
	};
	const char *path = sys_test_env("RXADM_RECORD");

	if (path && !to) {
		to = fopen(path, "ae");
		if (to)
			setvbuf(to, NULL, _IOLBF, 0);
	}
	return to ? &record : NULL;
}
