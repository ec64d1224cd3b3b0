# SPDX-License-Identifier: GPL-2.0-only
#
# Targets that install and package; included by the top Makefile. install.sh knows which file goes where. The places can be
# set as DESTDIR is: SBINDIR DATADIR ZSHDIR FISHDIR SYSCONFDIR SYSTEMDDIR INITRAMFSDIR DRACUTDIR.

PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^\#define RX_VERSION[[:space:]]*"\(.*\)"$$/\1/p' module/include/rx/version.h)

export DESTDIR PREFIX SBINDIR DATADIR ZSHDIR FISHDIR SYSCONFDIR SYSTEMDDIR INITRAMFSDIR DRACUTDIR DEB_OUT RPM_OUT ARCH_OUT DIST_OUT

RELEASE = $(shell cat $(KDIR)/include/config/kernel.release 2>/dev/null)

# The same on all kernels, whose default has changed, so that uninstall knows it.
MODULES_TO = INSTALL_MOD_PATH=$(DESTDIR) INSTALL_MOD_DIR=updates $(UNSIGNED)

# Distributions' headers come without the kernel's key: Kbuild would try to sign with it, and complain.
KEY = $(shell sed -n 's/^CONFIG_MODULE_SIG_KEY="\([^:]*\)"$$/\1/p' $(KDIR)/.config 2>/dev/null)
UNSIGNED = $(if $(KEY),$(if $(wildcard $(KEY) $(KDIR)/$(KEY)),,CONFIG_MODULE_SIG_ALL=))

.PHONY: modules_install install install-tool install-modules uninstall uninstall-tool uninstall-modules
.PHONY: dkms dkms-remove install-dkms-source deb rpm arch dist release version

version:
	@echo $(VERSION)

install: install-modules install-tool

uninstall: uninstall-tool uninstall-modules

# Root runs it: what only tests need is not in it.
install-tool: export HOOKS := no
install-tool: rxadm
	@conf/install.sh install

uninstall-tool:
	@conf/install.sh uninstall

# Where DKMS has the modules, a second copy would be the one that is loaded, or not.
install-modules:
	@conf/install.sh check-modules "$(RELEASE)"
	+$(KBUILD) modules_install $(MODULES_TO)
	@[ -n "$(DESTDIR)" ] || depmod -a "$(RELEASE)"

modules_install: install-modules

uninstall-modules:
	@conf/install.sh remove-modules

install-dkms-source:
	@conf/install.sh dkms-source

# What the package rxdsk-dkms does, without it.
dkms dkms-remove:
	@conf/install.sh $@

deb rpm arch dist:
	@conf/package.sh $@

# Needs the records of the checks; see "Versions" in CONTRIBUTING.md.
release:
	@conf/release.sh $(if $(CHECK),--check)
