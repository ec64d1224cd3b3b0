# SPDX-License-Identifier: GPL-2.0-only
#
# Two faces: Kbuild reads this file for the modules, people for everything
# else. "make help" lists the targets.

ifneq ($(KERNELRELEASE),)

obj-m += rxdsk/ rxcache/

else

KDIR ?= /lib/modules/$(shell uname -r)/build
KBUILD = $(MAKE) -C $(KDIR) M=$(CURDIR)

.DEFAULT_GOAL := all

.PHONY: all modules modules_install modules_clean install probe rxadm gen clean help

all: modules rxadm

# What the kernel's headers offer is found out by compiling, not by version
# numbers; the header is rewritten only when an answer changes.
probe:
	@module/compat/probe.sh $(KDIR)

modules: probe
	+$(KBUILD) modules

modules_install:
	+$(KBUILD) modules_install

PREFIX ?= /usr/local

install: modules_install rxadm
	install -D -m 755 rxadm/rxadm $(DESTDIR)$(PREFIX)/sbin/rxadm
	@for page in man/*.[1-8]; do \
		dir=$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}; \
		install -D -m 644 "$$page" "$$dir/$${page##*/}" || exit 1; \
	done
	depmod -a $(addprefix -b ,$(DESTDIR)) $$($(MAKE) -s -C $(KDIR) kernelrelease)

rxadm:
	+$(MAKE) -C rxadm

# YNL is the top of a kernel source tree (linux-source-6.12 unpacked).
gen:
	module/gen.sh --ynl $(YNL)

modules_clean:
	@if [ -d $(KDIR) ]; then $(KBUILD) clean; fi
	@rm -f module/compat/rx_have.h

clean: modules_clean
	+$(MAKE) -C rxadm clean
	+$(MAKE) -C tests/unit clean

help:
	@echo 'make             modules for the running kernel (or KDIR=...) and rxadm'
	@echo 'make modules     rxdsk.ko and rxcache.ko alone; rxadm: the tool alone'
	@echo 'make install     both, with the manual (PREFIX=/usr/local, DESTDIR=)'
	@echo 'make demo        show a RAM disk and a cache at work in a virtual machine'
	@echo 'make check       all tests, in a virtual machine (KERNELS="6.1 6.12 7.2 7.3")'
	@echo 'make torture     concurrency, faults, power cuts, file systems: longer tests of the kind'
	@echo 'make check-debug kernel tests on kernels that find memory errors, leaks, races'
	@echo 'make lint        style, static checks, generated files'
	@echo 'make gen YNL=DIR regenerate the netlink code with a kernel tree'"'"'s generator'
	@echo 'make clean       remove what was built here'

include tests/rules.mk

endif
