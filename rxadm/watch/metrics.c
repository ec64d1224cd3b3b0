// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints disks and caches as OpenMetrics: families of metrics, each with a sample for each
 * object. Times are in seconds and sizes in bytes. A value that is not known has no sample,
 * and a family without samples is left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/model_gen.h"
#include "kernel/object.h"
#include "rx/version.h"
#include "show/columns.h"
#include "show/out.h"
#include "watch/metrics.h"

static const char *const labels[] = { [RX_DISK] = "disk", [RX_CACHE] = "cache" };

/* The family whose samples are printed next; its head comes with the first of them. */
struct family {
	FILE *f;
	enum metrics_form form;
	char name[64];			/* without "_total" */
	const char *type, *unit, *help;	/* UNIT may be "" */
	bool begun;
};

/* Prepares a family whose value has no unit. */
static void prepare(struct family *m, const char *name, const char *type, const char *help)
{
	*m = (struct family){ .f = m->f, .form = m->form, .type = type, .unit = "", .help = help };
	snprintf(m->name, sizeof(m->name), "%s", name);
}

static bool is_counter(const struct family *m)
{
	return !strcmp(m->type, "counter");
}

static void begin(struct family *m)
{
	const char *total = m->form == METRICS_PROMETHEUS && is_counter(m) ? "_total" : "";

	if (m->begun)
		return;
	m->begun = true;
	fprintf(m->f, "# HELP %s%s %c%s.\n", m->name, total, upper(*m->help), m->help + 1);
	fprintf(m->f, "# TYPE %s%s %s\n", m->name, total, m->type);
	if (*m->unit && m->form == METRICS_OPENMETRICS)
		fprintf(m->f, "# UNIT %s %s\n", m->name, m->unit);
}

/* BEFORE: what stands before the label. */
static void put_label(FILE *f, char before, const char *name, const char *value)
{
	char *text = text_utf8(value), *p;

	fprintf(f, "%c%s=\"", before, name);
	for (p = text; *p; p++) {
		if (*p == '\\' || *p == '"')
			fputc('\\', f);
		if (*p == '\n')
			fputs("\\n", f);
		else
			fputc(*p, f);
	}
	fputc('"', f);
	free(text);
}

/* Begins a sample of DEVICE. LABEL may be NULL, and SUFFIX may be "". */
static void sample_begin(struct family *m, const char *suffix, const struct rx_device *device,
			 const char *label, const char *value)
{
	begin(m);
	fprintf(m->f, "%s%s", m->name, suffix);
	put_label(m->f, '{', labels[device->family], device->name);
	if (label)
		put_label(m->f, ',', label, value);
	fputs("} ", m->f);
}

static void put_seconds(FILE *f, uint64_t ns)
{
	fprintf(f, "%" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void put_value(struct family *m, const struct rx_device *device, uint64_t value)
{
	if (value == RX_NONE)
		return;
	sample_begin(m, is_counter(m) ? "_total" : "", device, NULL, NULL);
	if (!strcmp(m->unit, "seconds"))
		put_seconds(m->f, value);
	else
		fprintf(m->f, "%" PRIu64 "\n", value);
}

/* Prints the field at OFF of each object of FAMILY. */
static void put_field(struct family *m, enum rx_family family, size_t off,
		      const struct rx_list *list)
{
	const struct rx_device *device;
	size_t i;

	for (i = 0; (device = list_device(list, i)); i++)
		if (device->family == family)
			put_value(m, device, *(const uint64_t *)((const char *)device + off));
}

/*
 * Prints the counters of a group of columns: the key is the name, "rxcache_read_hit" or
 * "rxdsk_io_reads".
 */
static void put_group(struct family *m, enum rx_family family, const char *group,
		      const char *infix, const struct rx_list *list)
{
	const struct rx_col *col;
	size_t len;
	bool ns;

	for (col = views_list[family]->cols; col->help; col++) {
		if (!col->group || strcmp(col->group, group))
			continue;
		len = strlen(col->key);
		ns = len > 3 && !strcmp(col->key + len - 3, "_ns");
		*m = (struct family){ .f = m->f, .form = m->form, .help = col->help };
		m->type = !strcmp(col->key, "in_flight") ? "gauge" : "counter";
		m->unit = ns || !strcmp(col->key, "ahead_saved") ? "seconds" :
			  col->type == COL_SIZE ? "bytes" : "";
		snprintf(m->name, sizeof(m->name), "%s_%s%.*s%s", model_family(family), infix,
			 (int)(ns ? len - 3 : len), col->key,
			 !strcmp(m->unit, "seconds") ? "_seconds" : "");
		put_field(m, family, col->off, list);
	}
}

#define GAUGE(family, object, name, unit, field, help) \
	{ family, name, "gauge", unit, offsetof(struct object, field), help }
#define DISK(name, unit, field, help) GAUGE(RX_DISK, rx_disk, "rxdsk_" name, unit, field, help)
#define CACHE(name, unit, field, help) \
	GAUGE(RX_CACHE, rx_cache, "rxcache_" name, unit, field, help)
#define SHARED	"; caches that share a disk have it together, and each shows all of it"

static const struct field {
	enum rx_family family;
	const char *name, *type, *unit;
	size_t off;
	const char *help;
} fields[] = {
	DISK("size_bytes", "bytes", size, "capacity"),
	DISK("used_bytes", "bytes", used, "memory that holds data now"),
	DISK("freeing_bytes", "bytes", freeing, "memory on its way back to the machine"),
	DISK("openers", "", open, "open file descriptors, mounts and other users"),
	{ RX_DISK, "rxdsk_no_space", "counter", "", offsetof(struct rx_disk, no_space),
	  "writes that found no memory" },
	{ RX_DISK, "rxdsk_slow_writes", "counter", "", offsetof(struct rx_disk, slow_writes),
	  "writes that had to wait for memory" },
	CACHE("size_bytes", "bytes", size, "bytes that the cache can hold" SHARED),
	CACHE("cached_bytes", "bytes", cached, "bytes that the cache holds now"),
	CACHE("metadata_bytes", "bytes", metadata, "memory that the index takes" SHARED),
	CACHE("slack_bytes", "bytes", slack,
	      "memory of the disk that holds no cached block" SHARED),
	CACHE("floor_bytes", "bytes", floor,
	      "bytes that memory pressure never takes back" SHARED),
	CACHE("pinned_bytes", "bytes", pinned, "bytes that are pinned"),
	CACHE("pinned_cached_bytes", "bytes", pinned_cached, "bytes that are pinned and cached"),
	CACHE("block_bytes", "bytes", block, "size of a block; counters of blocks times this are bytes"),
	CACHE("origin_size_bytes", "bytes", origin_size, "size of the origin"),
	CACHE("compressed_bytes", "bytes", compressed, "bytes of the origin that are cached compressed"),
	CACHE("compressed_memory_bytes", "bytes", compressed_memory, "memory that compressed blocks take"),
	CACHE("incompressible_bytes", "bytes", incompressible,
	      "bytes of plain blocks that are not worth a compression" SHARED),
	{ RX_CACHE, "rxcache_compressor_tried", "counter", "", offsetof(struct rx_cache, compress_tried),
	  "blocks that were to be compressed" SHARED },
	{ RX_CACHE, "rxcache_compressor_done", "counter", "", offsetof(struct rx_cache, compress_done),
	  "blocks that were compressed" SHARED },
	{ RX_CACHE, "rxcache_compressor_seconds", "counter", "seconds",
	  offsetof(struct rx_cache, compress_ns), "time that a processor took to compress" SHARED },
	CACHE("openers", "", open, "open file descriptors, mounts and other users"),
	CACHE("counters_age_seconds", "seconds", stats_age, "time since the counters began"),
	CACHE("verify_running", "", verify.running, "1 while a verification is running"),
	CACHE("verify_mismatches", "", verify.mismatches,
	      "blocks that the last verification found to differ from the origin"),
	CACHE("verify_errors", "", verify.errors,
	      "reads of the origin that failed during the last verification"),
};

/* Prints a sample for each state that there is: 1 for the present one. */
static void put_states(struct family *m, enum rx_family family, const char *const *names,
		       size_t off, const struct rx_list *list)
{
	const struct rx_device *device;
	uint64_t state;
	size_t i, s;

	for (i = 0; (device = list_device(list, i)); i++) {
		if (device->family != family)
			continue;
		state = *(const uint64_t *)((const char *)device + off);
		for (s = 0; names[s] && state != RX_NONE; s++) {
			sample_begin(m, "", device, "state", names[s]);
			fprintf(m->f, "%d\n", s == state);
		}
	}
}

static void put_info(struct family *m, const struct rx_list *list)
{
	const struct rx_cache *c;

	for (c = list->caches; c < list->caches + list->n_caches; c++) {
		begin(m);
		fputs(m->name, m->f);
		put_label(m->f, '{', "cache", c->name);
		put_label(m->f, ',', "disk", c->disk);
		put_label(m->f, ',', "origin", c->origin_path);
		put_label(m->f, ',', "mode", c->mode < RX_MODES ? rx_mode_names[c->mode] : "");
		fputs("} 1\n", m->f);
	}
}

/* Prints a histogram, whose buckets contain the buckets before them. */
static void put_histogram(struct family *m, const struct rx_cache *c, const char *kind,
			  const struct rx_latency *l)
{
	uint64_t below = 0;
	int i;

	if (l->bucket[0] == RX_NONE || l->sum_ns == RX_NONE)
		return;
	for (i = 0; i < RX_BUCKETS; i++) {
		below += or_zero(l->bucket[i]);
		begin(m);
		fprintf(m->f, "%s_bucket{cache=\"%s\",kind=\"%s\",le=\"", m->name, c->name, kind);
		if (i < RX_BUCKETS - 1)
			fprintf(m->f, "%.12g", (double)(1ULL << (i + 6)) / 1e9);
		else
			fputs("+Inf", m->f);
		fprintf(m->f, "\"} %" PRIu64 "\n", below);
	}
	sample_begin(m, "_sum", &c->device, "kind", kind);
	put_seconds(m->f, l->sum_ns);
	sample_begin(m, "_count", &c->device, "kind", kind);
	fprintf(m->f, "%" PRIu64 "\n", below);
}

static void put_latencies(struct family *m, const struct rx_list *list)
{
	static const char *const kinds[] = {
		[RX_TIME_HIT] = "hit", [RX_TIME_MISS] = "miss", [RX_TIME_WRITE] = "write",
		[RX_TIME_ORIGIN] = "origin",
	};
	const struct rx_cache *c;
	int kind;

	for (c = list->caches; c < list->caches + list->n_caches; c++)
		for (kind = 0; kind < RX_TIMES; kind++)
			put_histogram(m, c, kinds[kind], &c->latency[kind]);
}

static void put_tool(struct family *m, const struct rx_list *list)
{
	int family;

	prepare(m, "rxadm_build_info", "gauge", "version of the tool");
	begin(m);
	fprintf(m->f, "%s{version=\"%s\"} 1\n", m->name, RX_VERSION);
	prepare(m, "rxadm_module_loaded", "gauge",
		"1 if the module is loaded; without it there are no disks or caches");
	begin(m);
	for (family = 0; family < RX_FAMILIES; family++)
		fprintf(m->f, "%s{module=\"%s\"} %d\n", m->name, model_family(family),
			!list->absent[family]);
}

void metrics_print(FILE *f, enum metrics_form form, const struct rx_list *list)
{
	struct family m = { .f = f, .form = form };
	const struct field *field;

	put_tool(&m, list);
	for (field = fields; field < fields + ARRAY_SIZE(fields); field++) {
		prepare(&m, field->name, field->type, field->help);
		m.unit = field->unit;
		put_field(&m, field->family, field->off, list);
	}
	prepare(&m, "rxdsk_state", "gauge", "1 for the state that the disk is in");
	put_states(&m, RX_DISK, rx_disk_state_names, offsetof(struct rx_disk, state), list);
	prepare(&m, "rxcache_state", "gauge",
		"1 for the state that the cache is in; only active works in full");
	put_states(&m, RX_CACHE, rx_status_names, offsetof(struct rx_cache, status), list);
	prepare(&m, "rxcache_info", "gauge", "disk, origin and settings of the cache");
	put_info(&m, list);
	put_group(&m, RX_DISK, "io", "io_", list);
	put_group(&m, RX_CACHE, "io", "io_", list);
	put_group(&m, RX_CACHE, "stats", "", list);
	prepare(&m, "rxcache_request_duration_seconds", "histogram",
		"time of requests by kind; of hits a sample, see rxcache(4)");
	m.unit = "seconds";
	put_latencies(&m, list);
	if (form == METRICS_OPENMETRICS)
		fputs("# EOF\n", f);
}
