# SPDX-License-Identifier: GPL-2.0-only
#
# The module's index and policies as part of a program, and sim.c, which runs
# traces through them. Included by Makefiles that set RXADM, the directory of
# this file, and OUT, where objects go; SIM_FLAGS are what these compile with,
# and SIM_SAY comes before each command.
#
# Each header of the kernel that the index includes is kernel.h.

RXCACHE		:= $(RXADM)/../rxcache
SIM_MODULE	:= index $(patsubst $(RXCACHE)/%.c,%,$(sort $(wildcard $(RXCACHE)/policy_*.c)))
SIM_OBJS	:= $(patsubst %,$(OUT)/%.o,sim $(SIM_MODULE))
SIM_HEADERS	:= $(RXADM)/kernel.h $(RXADM)/sim.h $(RXADM)/trace.h $(RXCACHE)/policy.h $(RXCACHE)/index.h $(RXCACHE)/shadow.h
SIM_LINUX	:= $(OUT)/kernel

# Of two numbers of different signs the module compares what it knows.
SIM_CC		= $(CC) $(SIM_FLAGS) -Wno-sign-compare -I$(SIM_LINUX) -I$(RXADM) -c -o $@ $<

$(SIM_LINUX): $(patsubst %,$(RXCACHE)/%,index.c index.h shadow.c shadow.h)
	@mkdir -p $@/linux
	@for h in $$(sed -n 's|^#include <\(linux/.*\)>|\1|p' $^ | sort -u); do \
		echo '#include "kernel.h"' >$@/$$h || exit 1; \
	done
	@touch $@

$(OUT)/sim.o: $(RXADM)/sim.c $(SIM_HEADERS) $(SIM_LINUX)
	@$(SIM_SAY) $(SIM_CC)

$(patsubst %,$(OUT)/%.o,$(SIM_MODULE) shadow): $(OUT)/%.o: $(RXCACHE)/%.c $(SIM_HEADERS) $(SIM_LINUX)
	@$(SIM_SAY) $(SIM_CC)
