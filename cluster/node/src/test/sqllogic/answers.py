#!/usr/bin/env python3
"""Writes the answers of the tests: DuckDB's, over the packets that tshark decoded.

    answers.py [--check] [FILE…]

--check writes nothing, and fails if an answer is not DuckDB's. Needs the Python packages duckdb and
numpy. README.md beside this file tells how to write a test.
"""

import argparse
import datetime
import hashlib
import ipaddress
import math
import pathlib
import sys

import duckdb

import files
import records
import translate

HASHED_FROM_ROWS = 200

SETTINGS = """
SET integer_division = true;
SET default_null_order = 'nulls_last_on_asc_first_on_desc';
SET threads = 1;
CREATE MACRO w_mod(x, n) AS ((x % n) + n) % n;
CREATE MACRO w_floor(x, n) AS x - w_mod(x, n);
CREATE MACRO w_not(x) AS -1 - x;
CREATE MACRO w_family(a) AS CASE octet_length(a) WHEN 5 THEN 4 WHEN 17 THEN 6 END;
CREATE MACRO w_bigint(x) AS
    CASE WHEN typeof(x) = 'DOUBLE' THEN CAST(trunc(CAST(x AS DOUBLE)) AS BIGINT)
    ELSE CAST(x AS BIGINT) END;
CREATE MACRO w_distinct(x) AS COUNT(DISTINCT x);
CREATE MACRO w_time(ns) AS make_timestamp(CAST(w_floor(ns, 1000) / 1000 AS BIGINT));
CREATE MACRO w_part(unit, ns) AS CAST(floor(date_part(unit, w_time(ns))) AS BIGINT);
CREATE MACRO w_trunc(unit, ns) AS epoch_ns(date_trunc(unit, w_time(ns)));
"""

PACKETS = """
CREATE TABLE packets AS SELECT
    row_number() OVER () AS w_row, ts, 'local' AS node_id, w_address(src_addr) AS src_addr,
    w_address(dst_addr) AS dst_addr, * EXCLUDE (ts, src_addr, dst_addr),
    CAST(0 AS BIGINT) AS in_if, CAST(0 AS BIGINT) AS out_if, CAST(0 AS BIGINT) AS queue_id,
    CAST(0 AS BIGINT) AS queue_depth, CAST(0 AS BIGINT) AS queue_delay_ns,
    CAST(1 AS BIGINT) AS sampling_rate, CAST(0 AS BIGINT) AS direction
FROM read_csv('{table}', types = {{'src_addr': 'VARCHAR', 'dst_addr': 'VARCHAR',
    'src_mac': 'VARCHAR', 'dst_mac': 'VARCHAR'}}) {order};
CREATE VIEW flows AS SELECT src_addr, dst_addr, proto, src_port, dst_port, node_id,
    COUNT(*) AS packets, SUM(bytes) AS bytes, MIN(ts) AS time_flow_start, MAX(ts) AS time_flow_end,
    BIT_OR(tcp_flags) AS tcp_flags
FROM packets GROUP BY ALL;
"""


def address(text):
    packed = ipaddress.ip_address(text).packed
    return bytes([4 if len(packed) == 4 else 6]) + packed


def prefix(value, bits4, bits6):
    bits = bits4 if value[0] == 4 else bits6
    size = 8 * (len(value) - 1)
    kept = int.from_bytes(value[1:], "big") >> (size - bits) << (size - bits)
    return value[:1] + kept.to_bytes(size // 8, "big")


def database(name, backwards=False):
    """The packets of a capture; backwards, to see whether an answer depends on their order."""
    db = duckdb.connect()
    db.create_function("w_address", address, ["VARCHAR"], "BLOB")
    db.create_function("w_prefix3", prefix, ["BLOB", "BIGINT", "BIGINT"], "BLOB")
    db.execute(SETTINGS)
    db.execute("CREATE MACRO w_prefix(a, n, m := NULL) AS w_prefix3(a, n, coalesce(m, n))")
    db.execute(PACKETS.format(table=files.table(name), order=""))
    if backwards:
        db.execute("CREATE TABLE turned AS SELECT * FROM packets ORDER BY w_row DESC")
        db.execute("CREATE OR REPLACE TEMP VIEW packets AS SELECT * FROM turned")
    return db


def time_text(ns):
    moment = datetime.datetime.fromtimestamp(ns // 10**9, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + ".%09dZ" % (ns % 10**9)


def address_text(value):
    if value[0] == 4:
        return str(ipaddress.IPv4Address(value[1:]))
    found = ipaddress.IPv6Address(value[1:])
    return "::ffff:%s" % found.ipv4_mapped if found.ipv4_mapped else str(found)  # RFC 5952, 5


def cell(value, letter):
    """The text of a value; the letter of the record says its type."""
    if value is None:
        return "NULL"
    good = {
        "I": isinstance(value, int) and not isinstance(value, bool), "R": isinstance(value, float),
        "B": isinstance(value, bool), "P": isinstance(value, int),
        "T": isinstance(value, (str, bytes))}
    if not good[letter]:
        raise ValueError("DuckDB's %r is not of type %s" % (value, letter))
    if letter == "P":
        return time_text(value)
    if letter == "B":
        return "true" if value else "false"
    if letter == "R":
        return "%.12g" % value
    return address_text(value) if isinstance(value, bytes) else str(value) or "(empty)"


def rows(db, record):
    sql = record.duckdb or translate.statement(record.sql)
    try:
        found = db.execute(sql).fetchall()
    except duckdb.Error as error:
        raise ValueError("%s\n  %s" % (error, sql)) from error
    if found and len(found[0]) != len(record.types):
        raise ValueError("%d columns, not %s" % (len(found[0]), record.types))
    texts = [" ".join(map(cell, row, record.types)) for row in found]
    return sorted(texts) if record.sort == "rowsort" else texts


def hashed(texts):
    """As sqllogictest has it: each value on a line of its own."""
    values = [value for text in texts for value in text.split(" ")]
    digest = hashlib.md5("".join(v + "\n" for v in values).encode()).hexdigest()
    return ["%d values hashing to %s" % (len(values), digest)]


def near(a, b):
    """Whether two rows are the same, but for the last digits of sums of DOUBLEs."""
    if a == b:
        return True
    pairs = list(zip(a.split(" "), b.split(" ")))
    return all(x == y or "." in x + y and math.isclose(float(x), float(y)) for x, y in pairs)


def answer(db, turned, record):
    texts = rows(db, record)
    others = texts if record.is_ordered else rows(turned, record)
    if len(texts) != len(others) or not all(map(near, texts, others)):
        raise ValueError("the answer depends on the order of packets")
    if len(texts) > HASHED_FROM_ROWS and "R" not in record.types:
        return hashed(texts)
    return texts


def refused(db, record):
    try:
        db.execute(record.duckdb or translate.statement(record.sql))
    except (duckdb.Error, translate.Refused, LookupError, StopIteration):
        return
    raise ValueError("DuckDB takes this")


def fill(record, db, turned):
    if record.kind == "query":
        record.answer = answer(db, turned, record)
    elif record.fails:
        refused(db, record)
    else:
        for each in (db, turned):
            each.execute(record.duckdb or translate.statement(record.sql))


def run(path, db, turned, wrong):
    """Returns the text of a file, with DuckDB's answers. Adds what goes wrong to the list."""
    test = records.read(path)
    for record in test.records:
        if record.only_weir:
            continue
        try:
            fill(record, db, turned)
        except (ValueError, LookupError, duckdb.Error, translate.Refused) as error:
            wrong.append("%s: %s\n  %s" % (record.where, error, record.sql))
    return test.text()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("file", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    wrong, wanted = [], {path.resolve() for path in arguments.file}
    for name in files.CAPTURES:
        paths = [p for p in files.tests(name) if not wanted or p in wanted]
        if paths:
            db, turned = database(name), database(name, backwards=True)
        for path in paths:
            text = run(path, db, turned, wrong)
            if arguments.check and text != path.read_text():
                wrong.append("%s: not DuckDB's answers" % path)
            elif not arguments.check:
                path.write_text(text)
    print("\n".join(wrong) or "all answers are DuckDB's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
