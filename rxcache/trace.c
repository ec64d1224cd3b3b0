// SPDX-License-Identifier: GPL-2.0-only
/* The code of the tracepoints, which trace.h declares. */
#define CREATE_TRACE_POINTS
#include "trace.h"
