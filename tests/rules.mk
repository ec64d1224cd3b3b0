# SPDX-License-Identifier: GPL-2.0-only
#
# Targets that test; included by the top Makefile.
#   make check                              the everyday tests: unit, command line, and kernel tests in a kernel that is a program
#   make check-all KERNELS="6.1 6.12 7.3"   all kernel tests but the torture tests, on these kernels
#   make check KERNELS=7.3 TESTS="010 fill-race"   these kernel tests on this kernel
#   make torture                            the torture tests, 3NN, and power cuts (KERNELS and TESTS as above)
#   make torture TESTS="-n 3 -t 60 300"     one of them, three times, for a minute each
#   make bench TESTS="--rounds 5 hit-"  of the bench these rows only, in five rounds
#   make bench-cost TESTS="--keep"    the costs that were measured are the baseline from now on
#   make bench-database TESTS="--rounds 1 --size 50"   a PostgreSQL through caches of half of its size only, in one round
#   make bench-lab TESTS="--rounds 5 twice"  of the experiments this one only, in five rounds
#   make bench-native TESTS="--rounds 9 randread"   of the native bench these rows only, in nine rounds
#   make bench-price TESTS="--rounds 1 1x-"   of the ways to read beside a backup this working set only, in one round
#   make bench-warm TESTS="--size 5 FILE.rxt.xz"    a reboot in the middle of this trace, with a cache of 5 % of its blocks
#   make bench-ahead TESTS="--disks ssd FILE.rxt.xz"   read-ahead of the module beside that of the simulator, on this disk only
#   make bench-smp TESTS="--rounds 1 ram- hit"   of the counts with eight processors these rows only, in one round
#   make model TESTS="modes NO_MET"   of the models this cast (or slots, entry, moved, idle) and this rule only, with the way to the error
#   make sim TESTS="--time -m update FILE.rxt.xz"   hit ratios of the cache's policies on traces
#   make replay TESTS="FILE.rxt.xz"   the same traces through the module, which has to agree with the simulator
# 6.12-debug, 6.12-kcsan and 7.2-uml-debug are kernels that check themselves, those with -uml are programs; they are built when first
# asked for.

EVERYDAY := $(KERNELS)
KERNELS ?= 6.12
TESTS ?=

.PHONY: bench bench-ahead bench-compress bench-cost bench-database bench-image bench-lab bench-native bench-price bench-rivals bench-smp bench-warm check check-all check-boot check-compat check-debug check-debug-all check-packages torture demo lint model pictures replay shell sim vm-setup helpers

check:
	@KERNELS='$(EVERYDAY)' tests/vm/check $(TESTS)

check-all:
	@KERNELS='$(KERNELS)' tests/vm/check --all $(TESTS)

torture:
	@KERNELS='$(KERNELS)' tests/vm/torture $(TESTS)

check-debug:
	@tests/vm/check-debug $(TESTS)

# Also on the emulated kernels that check themselves: hours.
check-debug-all:
	@tests/vm/check-debug --all

# Whole Debian machines that have the packages installed; TESTS="--suite trixie 10-fstab" chooses.
check-boot:
	@tests/boot/run $(or $(TESTS),--suite bookworm --suite trixie)

# Part of lint, too.
check-compat:
	@tests/compat/run -v $(TESTS)

check-packages:
	@nice tests/packages/run $(TESTS)

bench:
	@tests/bench/run --kernel $(lastword $(KERNELS)) $(TESTS)

bench-ahead:
	@tests/bench/ahead $(TESTS)

bench-compress:
	@tests/bench/compress $(TESTS)

bench-cost:
	@tests/bench/cost $(TESTS)

bench-database:
	@tests/bench/database $(TESTS)

# From what bench-database TESTS=--keep has kept.
pictures:
	@python3 -B tests/bench/pictures.py tests/bench/database-figures tests/bench/pictures

bench-image:
	@tests/bench/image --kernel $(lastword $(KERNELS)) $(TESTS)

bench-lab:
	@tests/bench/lab --kernel $(lastword $(KERNELS)) $(TESTS)

bench-native:
	@tests/bench/native $(TESTS)

bench-price:
	@tests/bench/price --kernel $(lastword $(KERNELS)) $(TESTS)

bench-rivals:
	@tests/bench/rivals --kernel $(lastword $(KERNELS)) $(TESTS)

bench-warm:
	@tests/bench/warm $(TESTS)

bench-smp:
	@tests/bench/smp --kernel $(lastword $(KERNELS)) $(TESTS)

# The same through the module: TESTS="DIR/*.rxt.xz".
replay:
	@tests/vm/replay $(TESTS)

sim:
	@$(MAKE) -s -C tests/sim
	@tests/sim/rxstudy $(or $(TESTS),--help)

model:
	@nice tests/model/run $(TESTS)

# TESTS=record makes the README's cast and picture anew.
demo:
	@tests/vm/demo $(TESTS)

lint:
	@KERNELS='$(KERNELS)' tests/lint

# A shell in the virtual machine, with modules and tool of this tree.
shell:
	@tests/vm/shell --kernel $(lastword $(KERNELS))

vm-setup:
	@tests/vm/setup $(KERNELS)

# The tests' own programs, for tests/run on a real machine; the virtual machine builds its own.
helpers: $(patsubst tests/kernel/helpers/%.c,tests/kernel/helpers/bin/%,$(wildcard tests/kernel/helpers/*.c))
	@$(MAKE) -s -C rxadm rxsim
	@$(MAKE) -s -C tests/sim

tests/kernel/helpers/bin/%: tests/kernel/helpers/%.c $(wildcard tests/kernel/helpers/*.h module/include/uapi/linux/*.h)
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra -pthread -o $@ $<
