// SPDX-License-Identifier: GPL-2.0-only
/* Runs rxsim over a trace and reads the JSON that it prints. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "advise/rxsim.h"
#include "base/child.h"
#include "base/say.h"

#define RXSIM_JSON_VERSION	1

/*
 * Stores the path of rxsim, which is installed beside rxadm. Root runs rxadm, so
 * neither PATH nor the current folder may choose the program. Returns false, after
 * it has said so, if rxsim is not there.
 */
static bool find_rxsim(char *path, size_t len, const char *trace)
{
	ssize_t n = readlink("/proc/self/exe", path, len);
	char *name;

	if (n <= 0 || (size_t)n >= len - strlen("rxsim")) {
		say("advise", trace, "needs rxsim, and can't read /proc/self/exe to find it; mount /proc");
		return false;
	}
	path[n] = '\0';
	name = strrchr(path, '/') + 1;
	strcpy(name, "rxsim");
	if (!access(path, X_OK))
		return true;
	say("advise", trace, "needs %s: %s; install it beside rxadm (make install-tool, or the package rxadm)",
	    path, strerror(errno));
	return false;
}

static uint64_t number(struct json_object *from, const char *key)
{
	return json_object_get_uint64(json_object_object_get(from, key));
}

/*
 * Several shares of a trace with few blocks can be one size; only the first share is
 * taken.
 */
static void take_cells(struct rx_trace *t, struct json_object *cells)
{
	size_t n = json_object_array_length(cells), at = 0, i;
	struct json_object *cell;
	uint64_t size, last = 0;

	for (i = 0; i < n && at < CURVE_MAX; i++) {
		cell = json_object_array_get_idx(cells, i);
		size = number(cell, "asked") * TRACE_BLOCK;
		if (size <= last)
			continue;
		last = size;
		t->reads = number(cell, "reads");
		t->hits[at] = number(cell, "hits");
		t->evicted[at] = number(cell, "evicted");
		t->curve.at[at].size = size;
		t->curve.at[at].ratio = t->reads ? (double)t->hits[at] / t->reads : 0;
		at++;
	}
	t->curve.n = at;
}

/* Returns NULL, or the reason of a failure, which lasts as long as @root. */
static const char *take(struct rx_trace *t, struct json_object *root)
{
	struct json_object *results, *result = NULL, *cells, *error;

	if (number(root, "rxsim") == RXSIM_JSON_VERSION &&
	    json_object_object_get_ex(root, "results", &results) &&
	    json_object_is_type(results, json_type_array))
		result = json_object_array_get_idx(results, 0);
	if (json_object_object_get_ex(result, "error", &error) &&
	    json_object_is_type(error, json_type_string))
		return json_object_get_string(error);
	if (json_object_object_get_ex(result, "cells", &cells) &&
	    json_object_is_type(cells, json_type_array))
		take_cells(t, cells);
	if (!t->curve.n)
		return "rxsim gave no answer that rxadm understands; install both of one version";
	t->requests = number(result, "requests");
	t->distinct = number(result, "distinct");
	return NULL;
}

bool trace_run(struct rx_trace *t, const char *path, bool allocate, const char *sizes, uint64_t memory)
{
	char program[PATH_MAX], limit[32];
	char *const argv[] = {
		program, "--json", "--policy", "rx",
		"--mode", allocate ? "allocate" : "update",
		"--size", (char *)sizes, "--memory", limit, "--",
		(char *)path, NULL
	};
	struct json_object *root;
	const char *why;
	char *text;
	int status;

	*t = (struct rx_trace) { 0 };
	snprintf(limit, sizeof(limit), "%" PRIu64 "K", memory / 1024 + 1);
	if (!find_rxsim(program, sizeof(program), path))
		return false;
	text = child_run(argv, -1, -1, &status);
	root = json_tokener_parse(text);
	free(text);
	why = take(t, root);
	if (WIFSIGNALED(status))
		why = "rxsim was killed";
	else if (WEXITSTATUS(status) == CHILD_NOT_RUN)
		why = "rxsim can't be run; install it beside rxadm (make install-tool, or the package rxadm)";
	if (why)
		say("advise", path, "%s", why);
	json_object_put(root);
	return !why;
}
