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

.PHONY: all modules modules_clean probe rxadm gen clean help

all: modules rxadm

# What the kernel's headers offer is found out by compiling, not by version
# numbers; the header is rewritten only when an answer changes.
probe:
	@module/compat/probe.sh $(KDIR)

modules: probe
	+$(KBUILD) modules

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
	+$(MAKE) -C tests/sim clean

help:
	@echo 'make             modules for the running kernel (or KDIR=...) and rxadm'
	@echo 'make modules     rxdsk.ko and rxcache.ko alone; rxadm: the tool alone'
	@echo 'make install     both, and all around them (PREFIX=/usr/local, DESTDIR=); uninstall removes it'
	@echo 'make dkms        the modules by DKMS, which builds them for every kernel to come'
	@echo 'make deb         Debian packages of both, in packages/deb; rpm, arch: those of others'
	@echo 'make dist        a tarball of the last commit, in packages/dist'
	@echo 'make release     tags the last commit, if all checks have passed on it (CHECK=1: only says what is missing)'
	@echo 'make check-boot  Debian machines with the packages installed, booted again and again'
	@echo 'make check-packages  builds the packages and looks into them'
	@echo 'make demo        show a RAM disk and a cache at work in a virtual machine'
	@echo 'make check       the everyday tests, in virtual machines that set themselves up'
	@echo 'make check-all   all tests but torture (KERNELS="6.1 6.12 7.2 7.3")'
	@echo 'make torture     concurrency, faults, power cuts, file systems: longer tests of the kind'
	@echo 'make check-debug kernel tests on kernels that find memory errors, leaks, wrong locks; check-debug-all: also data races'
	@echo 'make model       what runs at the same time, in all orders that there are, with weak memory (Spin)'
	@echo 'make bench       RAM disks and caches beside their rivals, in a virtual machine (KERNELS=6.1)'
	@echo 'make bench-lab   the experiments of rx-tuning(7): a slow disk, a RAM disk and a cache, cold and warm'
	@echo 'make bench-compress  hit ratios of traces with compressed blocks and without (TESTS="FILE.rxt.xz...")'
	@echo 'make bench-cost  instructions per I/O beside rivals, the same on any host: fails when one of ours grew by 3 %, first writes by 10 %'
	@echo 'make bench-database  transactions of a PostgreSQL on a slow disk, through caches without and with read-ahead and compression'
	@echo 'make bench-image save and restore of a disk beside cp of the same bytes, and of a large disk that holds little'
	@echo 'make bench-native  what a bio costs at native speed: RAM disks and a cache hit, in User Mode Linux'
	@echo 'make bench-price  a slow disk by way of the page cache, of a cache, and of both, beside a backup'
	@echo 'make bench-rivals  asks RAM disks and caches the same questions, and counts the right answers'
	@echo 'make bench-smp   what eight processors contend for: locks, tags, worker threads'
	@echo 'make bench-warm  hits after a reboot, of a cache that starts cold and of one that loads its list (TESTS="FILE.rxt.xz...")'
	@echo 'make pictures    draws the pictures of README from the figures that bench-database keeps'
	@echo 'make sim         what hit ratios traces have with the cache'"'"'s policies (TESTS="--help")'
	@echo 'make replay      the same through the module, in a User Mode Linux (TESTS="FILE.rxt.xz...")'
	@echo 'make lint        style, static checks, generated files'
	@echo 'make gen YNL=DIR regenerate the netlink code with a kernel tree'"'"'s generator'
	@echo 'make clean       remove what was built here'

# The source that DKMS has is without them.
include $(wildcard conf/install.mk tests/rules.mk)

endif
