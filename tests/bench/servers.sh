# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The servers of "make bench-database", in a root of their own, $root, which has the libraries of their suite. Each has the functions
#   SERVER_make             a database on $root/data; sets $mib, the size of its table
#   SERVER_start HOW        the server, ready; HOW is direct, make, or buffered (PostgreSQL alone)
#   SERVER_stop
#   SERVER_load SEED SECONDS    prints the transactions per second of $clients clients
# $tables is where the table lies, below $root/data.

# in_root PROGRAM ARGUMENT…: not as root, which servers refuse to be.
in_root() { unshare --root="$root" --setgid=65534 --setuid=65534 "$@"; }

# said PROGRAM ARGUMENT…: the same, and what it says is in said.log.
said() { in_root "$@" >said.log 2>&1 </dev/null || fail "$1: $(tail -n 3 said.log)"; }

pg() { said "/usr/lib/postgresql/17/bin/$1" "${@:2}"; }

postgresql_make() {
	pg initdb -D /data/pg -U rx --no-sync --no-locale -E UTF8 --auth=trust
	postgresql_start make
	pg pgbench -h /tmp -U rx -i -q -s "$scale" postgres
	pg psql -h /tmp -U rx -AtXc "SELECT pg_total_relation_size('pgbench_accounts') >> 20" postgres
	mib=$(cat said.log)
	postgresql_script >"$root/tmp/load.sql"
}

postgresql_start() {
	local options="-c listen_addresses= -c unix_socket_directories=/tmp -c autovacuum=off -c jit=off -c fsync=off"
	options+=" -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=64MB -c max_parallel_maintenance_workers=0"
	case $1 in
	make) options+=" -c shared_buffers=256MB" ;;
	direct) options+=" -c shared_buffers=1MB -c debug_io_direct=data" ;;
	buffered) options+=" -c shared_buffers=1MB" ;;
	esac
	tables=pg/base
	pg pg_ctl start -w -D /data/pg -l /tmp/server.log -o "$options"
}

postgresql_stop() { pg pg_ctl stop -w -D /data/pg -m fast; }

# Ten rows of each transaction, all over the table, of which some are asked for more often than others.
postgresql_script() {
	local i ids=''
	for i in 0 1 2 3 4 5 6 7 8 9; do
		if [ "$zipf" = even ]; then
			echo "\\set a$i random(1, 100000 * :scale)"
		else
			echo "\\set a$i 1 + permute(random_zipfian(1, 100000 * :scale, $zipf) - 1, 100000 * :scale, 7)"
		fi
		ids+=",:a$i"
	done
	echo "SELECT sum(abalance) FROM pgbench_accounts WHERE aid IN (${ids#,});"
}

postgresql_load() {
	pg pgbench -h /tmp -U rx -n -M prepared -s "$scale" -c "$clients" -j 1 --random-seed="$1" -T "$2" -f /tmp/load.sql postgres
	sed -n 's/^tps = \([0-9.]*\) .*/\1/p' said.log
}

# InnoDB runs without the server's own tables, and complains of these.
mariadb_make() {
	mkdir "$root/data/my"
	chown 65534:65534 "$root/data/my"
	echo "CREATE DATABASE rx;" | in_root /usr/sbin/mariadbd --no-defaults --datadir=/data/my --skip-grant-tables --innodb-log-file-size=16M --bootstrap \
		>said.log 2>&1 || fail "mariadbd: $(tail -n 3 said.log)"
	mariadb_start make
	mariadb_bench prepare
	mib=$(($(stat -c %s "$root/data/my/rx/sbtest1.ibd") >> 20))
	[ $mib -ge $((scale * 20)) ] || fail "the table has only $mib MiB: $(tail -n 3 server.log)"
}

mariadb_start() {
	local options="--innodb-buffer-pool-size=6M"
	[ "$1" != make ] || options="--innodb-buffer-pool-size=256M --innodb-flush-log-at-trx-commit=0"
	tables=my/rx
	rm -f "$root/tmp/my.sock"
	# shellcheck disable=SC2086 # options
	# By itself, so that $! is its own number.
	unshare --root="$root" --setgid=65534 --setuid=65534 /usr/sbin/mariadbd --no-defaults --datadir=/data/my \
		--skip-grant-tables --skip-networking --socket=/tmp/my.sock --innodb-log-file-size=16M \
		--innodb-flush-method=O_DIRECT --skip-innodb-buffer-pool-dump-at-shutdown --innodb-stats-persistent=0 $options \
		>server.log 2>&1 </dev/null &
	mariadb=$!
	wait_for 30 test -S "$root/tmp/my.sock" || fail "mariadbd: $(tail -n 3 server.log)"
}

mariadb_stop() {
	kill "$mariadb"
	wait "$mariadb" || true
}

# mariadb_bench COMMAND OPTION…: sysbench, with ten rows in each transaction, all of them alike.
mariadb_bench() {
	said /usr/bin/sysbench --db-driver=mysql --mysql-socket=/tmp/my.sock --mysql-user=root --mysql-db=rx --tables=1 \
		--table-size=$((scale * 100000)) --threads="$clients" --point-selects=10 --range-selects=off --skip-trx=on \
		--rand-type=uniform "${@:2}" /usr/share/sysbench/oltp_read_only.lua "$1"
}

mariadb_load() {
	mariadb_bench run --rand-seed="$1" --time="$2"
	sed -n 's/^ *transactions: .*(\([0-9.]*\) per sec.)$/\1/p' said.log
}
