/* SPDX-License-Identifier: GPL-2.0-only */
/* In the place of the module's: the simulator has its own maple tree. */
#include "maple.h"
