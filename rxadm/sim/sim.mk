# SPDX-License-Identifier: GPL-2.0-only
# How an object of a simulator is built, for rxsim and tests/sim. Its Makefile sets NAME, OUT, OBJS, CC and FLAGS, and
# MODULE_SOURCE to the files of the module whose headers of the kernel it needs.

$(OUT)/%.o: %.c | $(OUT)/kernel
	@echo "  CC      $(NAME)/$(<F)"
	@$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

# Each header of the kernel that the module includes is kernel.h.
$(OUT)/kernel: Makefile $(MODULE_SOURCE)
	@mkdir -p $@/linux
	@for h in $$(sed -n 's|^#include <\(linux/.*\)>|\1|p' $^ | sort -u); do \
		echo '#include "kernel.h"' >$@/$$h || exit 1; \
	done
	@touch $@

-include $(OBJS:.o=.d)
