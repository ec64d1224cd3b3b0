#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Generates files from module/spec/*.yaml. The kernel's own generator makes the UAPI
# headers and the netlink policies. Our generators make the tables of rxadm, the
# counters of rxcache, the protocol's manual page, and counters that other pages lack.
#
#   module/gen.sh --ynl DIR          write the generated files
#   module/gen.sh --ynl DIR --check  compare them, exit 1 if they differ
#
# DIR is the top of a kernel source tree (6.12) with tools/net/ynl and
# Documentation/netlink; needs python3 with yaml.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
ynl='' check=0
while [ $# -gt 0 ]; do
	case $1 in
	--ynl) ynl=$2; shift 2 ;;
	--check) check=1; shift ;;
	*) echo "gen.sh: unknown argument '$1' (--ynl DIR, --check)" >&2; exit 2 ;;
	esac
done
[ -f "$ynl/tools/net/ynl/ynl-gen-c.py" ] || {
	echo "gen.sh: no tools/net/ynl in '$ynl'; say --ynl KERNEL-SOURCE" >&2
	exit 2
}

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
# The generator takes the first folder above the spec with a MAINTAINERS file as the
# root, and looks for its schemas one folder above the spec.
mkdir -p "$stage/Documentation/netlink/specs" "$stage/out"
: >"$stage/MAINTAINERS"
cp "$ynl"/Documentation/netlink/*.yaml "$stage/Documentation/netlink/"

bad=0
emit() { # FAMILY MODE-ARGUMENTS... DESTINATION
	family=$1 mode=$2 kind=$3 dest=$4
	spec=$stage/Documentation/netlink/specs/$family.yaml
	# The kernel's generator does not know these properties of counters.
	sed -E '/^        (unit|path|since): /d' "$here/spec/$family.yaml" >"$spec"
	python3 "$ynl/tools/net/ynl/ynl-gen-c.py" --mode "$mode" \
		--spec "$spec" "$kind" -o "$stage/out/$(basename "$dest")"
	# The generator names the spec's place in the staged tree.
	sed -i 's|Documentation/netlink/specs/|module/spec/|' \
		"$stage/out/$(basename "$dest")"
	# The generator makes the multicast groups static, but the family that uses
	# them is written by hand in another file.
	case $kind:$dest in
	--source:*) sed -i "s|^static \(const struct genl_multicast_group [a-z_]*\)\[\]|\1[1]|" \
		"$stage/out/$(basename "$dest")" ;;
	--header:*netlink_gen.h) sed -i "/^extern const struct genl_ops/a\\
extern const struct genl_multicast_group ${family}_nl_mcgrps[1];" \
		"$stage/out/$(basename "$dest")" ;;
	esac
	put "$dest"
}

put() { # DESTINATION, staged under its last name
	if [ $check = 1 ]; then
		diff -u "$top/$1" "$stage/out/$(basename "$1")" || bad=1
	else
		cp "$stage/out/$(basename "$1")" "$top/$1"
	fi
}

for family in rxdsk rxcache; do
	emit "$family" uapi --header "module/include/uapi/linux/$family.h"
	dir=$family
	[ "$family" = rxdsk ] || dir=$family/netlink
	emit "$family" kernel --header "$dir/netlink_gen.h"
	emit "$family" kernel --source "$dir/netlink_gen.c"
done
for dest in rxadm/kernel/model_gen.h rxadm/kernel/model_gen.c rxcache/figures/stats_gen.h rxcache/figures/stats_gen.c; do
	python3 "$here/gen-model.py" "${dest##*/}" "$here/spec/rxdsk.yaml" \
		"$here/spec/rxcache.yaml" "$top/rxadm/show/columns.c" >"$stage/out/${dest##*/}"
	put "$dest"
done
python3 "$here/gen-man.py" "$here/spec/rx-netlink.7.in" \
	"$here/spec/rxdsk.yaml" "$here/spec/rxcache.yaml" \
	>"$stage/out/rx-netlink.7"
put man/rx-netlink.7
for page in "$top"/man/*.[458]; do
	name=$(basename "$page")
	python3 "$here/gen-pages.py" "$here/spec/rxcache.yaml" \
		"$top/rxadm/show/columns.c" "$page" >"$stage/out/$name"
	put "man/$name"
done
[ $bad = 0 ] || {
	echo "gen.sh: generated files differ from the specs; run: make gen" >&2
	exit 1
}
