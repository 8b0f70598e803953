#!/usr/bin/env python3
"""Writes NN.csv: the answer to each question of docs/QUESTIONS.md, as SQLite has it.

SQLite reads the packets that tshark decoded (../sqllogic/packets/demo.csv.gz). Weir has no part in
them. Needs Python 3 only.
"""

import csv
import datetime
import gzip
import ipaddress
import math
import pathlib
import sqlite3

HERE = pathlib.Path(__file__).parent
TEXTS = ("src_addr", "dst_addr", "src_mac", "dst_mac")


def utc(ns):
    seconds, rest = divmod(ns, 10**9)
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S") + f".{rest:09d}Z"


def net(address):
    length = 64 if ":" in address else 24
    return str(ipaddress.ip_network(f"{address}/{length}", strict=False))


def multi(address):
    return ipaddress.ip_address(address).is_multicast


def packets():
    db = sqlite3.connect(":memory:")
    for function in (utc, net, multi):
        db.create_function(function.__name__, 1, function)
    db.create_function("sqrt", 1, math.sqrt)
    with gzip.open(HERE.parent / "sqllogic/packets/demo.csv.gz", "rt") as file:
        rows = csv.reader(file)
        names = next(rows)
        kinds = (name + (" text" if name in TEXTS else " integer") for name in names)
        db.execute(f"create table p ({', '.join(kinds)})")
        db.executemany(f"insert into p values ({', '.join('?' * len(names))})", rows)
    return db


def questions():
    """Yields number and query: they are separated by lines that begin with two hyphens."""
    number = None
    lines = []
    for line in (HERE / "answers.sql").read_text().splitlines():
        if line.startswith("-- "):
            if number:
                yield number, "\n".join(lines)
            number, lines = line[3:5], []
        else:
            lines.append(line)
    yield number, "\n".join(lines)


def main():
    db = packets()
    for number, query in questions():
        answer = db.execute(query)
        with open(HERE / f"{number}.csv", "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(column[0] for column in answer.description)
            out.writerows(answer)


main()
