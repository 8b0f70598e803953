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



def ordered(odd):
    """Packets of each TCP flow, and those that are odd after the ones before them."""
    return (
        f"SELECT src_addr, dst_addr, 6 AS protocol, src_port, dst_port, count(*),"
        f" count(*) FILTER (odd) AS times FROM (SELECT *, {odd} AS odd FROM packets"
        " WHERE proto = 6) GROUP BY src_addr, dst_addr, src_port, dst_port HAVING times >= :TH"
    )


# By native work: the query, with :TH to be put in, and the kinds of its columns: w a window of a
# second, h of half a minute, a an IPv4 address, n a number. Tuples of several columns are packed into one number, which DuckDB
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
    "heavy_hitter_packets": (
        f"SELECT {WINDOW}, src_addr, count(*), sum(bytes)::BIGINT FROM packets"
        " GROUP BY w, src_addr HAVING count(*) > :TH",
        "wann",
    ),
    "completed_flows": (
        "SELECT ts // 30000000000 AS w,"
        " CASE WHEN tcp_flags & 18 = 2 THEN dst_addr ELSE src_addr END AS addr,"
        " sum(CASE WHEN tcp_flags & 18 = 2 THEN 1 ELSE -1 END)::BIGINT AS score FROM packets"
        " WHERE proto = 6 AND (tcp_flags & 18 = 2 OR tcp_flags & 1 = 1)"
        " GROUP BY w, addr HAVING score >= :TH",
        "han",
    ),
    "syn_flood_handshakes": (
        f"SELECT {WINDOW}, dst_addr, count(*) FILTER (tcp_flags & 18 = 2) AS syns,"
        " count(DISTINCT src_addr::UBIGINT * 4294967296 + src_port::UBIGINT * 65536 + dst_port)"
        " FILTER (tcp_flags & 22 = 16) AS completed FROM packets WHERE proto = 6"
        " GROUP BY w, dst_addr HAVING syns - completed > :TH",
        "wann",
    ),
    "tcp_non_monotonic": (
        ordered(
            "tcp_seq < max(tcp_seq) OVER (PARTITION BY src_addr, dst_addr, src_port, dst_port"
            " ORDER BY rowid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
        ),
        "aannnnn",
    ),
    # The generator's TCP headers have no options: 40 bytes with IPv4's.
    "tcp_out_of_sequence": (
        ordered(
            "tcp_seq <> lag((tcp_seq + bytes::BIGINT - 40 + (tcp_flags & 1)"
            " + (tcp_flags & 2) // 2) % 4294967296)"
            " OVER (PARTITION BY src_addr, dst_addr, src_port, dst_port ORDER BY rowid)"
        ),
        "aannnnn",
    ),
}

WINDOWS = {"w": 1_000_000_000, "h": 30_000_000_000}


def mix(z):
    z = (z ^ (z >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    z = (z ^ (z >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return z ^ (z >> np.uint64(33))


def answer(columns, kinds):
    rows = np.full(len(columns[0]), 0x57656972, dtype=np.uint64)
    for column, kind in zip(columns, kinds):
        values = column.astype(np.int64)
        if kind in WINDOWS:
            words = [values * WINDOWS[kind], (values + 1) * WINDOWS[kind]]
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
