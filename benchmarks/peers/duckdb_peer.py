"""DuckDB's side of `weir bench --peers`: a table of packets in memory, one thread.

    duckdb_peer.py PACKETS WORK TH

PACKETS is a file of records (io.weir.bench.PacketFile), WORK the name of a native work. Reads
commands, one a line, and answers each with a line: "duckdb" runs the query and fetches all rows,
and is answered by its nanoseconds of CPU time; "check duckdb" by rows and hash, as io.weir.bench.ResultHash has
it. "load" answers how long it took to make the table, which no query pays for.
"""

import sys
import time

import duckdb
import numpy as np

RECORD = np.dtype(
    [
        ("ts", "<i8"),
        ("src_addr", "<u4"),
        ("dst_addr", "<u4"),
        ("src_port", "<u2"),
        ("dst_port", "<u2"),
        ("bytes", "<u4"),
        ("tcp_flags", "<u2"),
        ("proto", "u1"),
        ("unused", "u1"),
        ("tcp_seq", "<u4"),
    ]
)

WINDOW = "ts // 1000000000 AS w"

# By native work: the query, with :TH to be put in, and the kinds of its columns: w a window, a an
# IPv4 address, n a number. Tuples of several columns are packed into one number, which DuckDB
# counts faster than a row.
WORKS = {
    "traffic_count": ("SELECT count(*), sum(bytes)::BIGINT FROM packets", "nn"),
    "per_source": (
        "SELECT src_addr, count(*), sum(bytes)::BIGINT FROM packets GROUP BY src_addr",
        "ann",
    ),
    "by_tcp_flags": (
        "SELECT tcp_flags, count(*), sum(bytes)::BIGINT FROM packets GROUP BY tcp_flags",
        "nnn",
    ),
    "by_bytes": ("SELECT bytes, count(*) FROM packets GROUP BY bytes", "nn"),
    "heavy_hitter": (
        f"SELECT {WINDOW}, src_addr, dst_addr, sum(bytes)::BIGINT AS bytes FROM packets"
        " GROUP BY w, src_addr, dst_addr HAVING sum(packets.bytes) > :TH",
        "waan",
    ),
    "new_tcp_connections": (
        f"SELECT {WINDOW}, dst_addr, count(*) FROM packets"
        " WHERE proto = 6 AND tcp_flags & 18 = 2 GROUP BY w, dst_addr HAVING count(*) >= :TH",
        "wan",
    ),
    "ssh_brute_force": (
        f"SELECT {WINDOW}, dst_addr, bytes, count(DISTINCT src_addr) FROM packets"
        " WHERE proto = 6 AND dst_port = 22"
        " GROUP BY w, dst_addr, bytes HAVING count(DISTINCT src_addr) >= :TH",
        "wann",
    ),
    "superspreader": (
        f"SELECT {WINDOW}, src_addr, count(DISTINCT dst_addr) FROM packets"
        " GROUP BY w, src_addr HAVING count(DISTINCT dst_addr) >= :TH",
        "wan",
    ),
    "port_scan": (
        f"SELECT {WINDOW}, src_addr, count(DISTINCT dst_port) FROM packets WHERE proto = 6"
        " GROUP BY w, src_addr HAVING count(DISTINCT dst_port) >= :TH",
        "wan",
    ),
    "ddos": (
        f"SELECT {WINDOW}, dst_addr, count(DISTINCT src_addr) FROM packets"
        " GROUP BY w, dst_addr HAVING count(DISTINCT src_addr) >= :TH",
        "wan",
    ),
    "syn_flood": (
        f"SELECT {WINDOW}, CASE WHEN tcp_flags = 18 THEN src_addr ELSE dst_addr END AS addr,"
        " count(*) FILTER (tcp_flags & 18 = 2), count(*) FILTER (tcp_flags = 18),"
        " count(*) FILTER (tcp_flags = 16),"
        " sum(CASE WHEN tcp_flags = 16 THEN -1 ELSE 1 END)::BIGINT AS score FROM packets"
        " WHERE proto = 6 AND (tcp_flags & 18 = 2 OR tcp_flags = 18 OR tcp_flags = 16)"
        " GROUP BY w, addr HAVING score >= :TH",
        "wannnn",
    ),
    "slowloris": (
        f"SELECT {WINDOW}, dst_addr, sum(bytes)::BIGINT AS total,"
        " count(DISTINCT src_addr::BIGINT << 16 | src_port) AS connections FROM packets"
        " WHERE proto = 6 GROUP BY w, dst_addr"
        " HAVING connections >= 5 AND total >= 500 AND total <= :TH * connections",
        "wann",
    ),
}

SECOND = 1_000_000_000


def mix(z):
    z = (z ^ (z >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    z = (z ^ (z >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return z ^ (z >> np.uint64(33))


def answer(columns, kinds):
    rows = np.full(len(columns[0]), 0x57656972, dtype=np.uint64)
    for column, kind in zip(columns, kinds):
        values = column.astype(np.int64)
        if kind == "w":
            words = [values * SECOND, (values + 1) * SECOND]
        elif kind == "a":
            words = [np.full_like(values, 4), np.zeros_like(values), values]
        else:
            words = [values]
        for word in words:
            rows = mix(rows ^ word.astype(np.uint64))
    return f"{len(rows)} {int(np.add.reduce(rows)):016x}"


def table(path, used):
    records = np.memmap(path, dtype=RECORD, mode="r")
    connection = duckdb.connect(":memory:", config={"threads": 1})
    # Only the columns of the query: what a store by columns would read.
    columns = {name: np.ascontiguousarray(records[name]) for name in used}
    connection.execute("CREATE TABLE packets AS SELECT * FROM columns")
    return connection


def main():
    path, work, threshold = sys.argv[1:]
    sql, kinds = WORKS[work]
    sql = sql.replace(":TH", threshold)
    used = [name for name in RECORD.names if name in sql]
    start = time.process_time_ns()
    connection = table(path, used)
    loaded = time.process_time_ns() - start
    for line in sys.stdin:
        command = line.strip()
        start = time.process_time_ns()
        if command == "load":
            print(loaded, flush=True)
            continue
        columns = list(connection.execute(sql).fetchnumpy().values())
        took = time.process_time_ns() - start
        print(took if command == "duckdb" else answer(columns, kinds), flush=True)


if __name__ == "__main__":
    main()
