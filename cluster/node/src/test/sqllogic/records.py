"""Reads and writes files of sqllogictest."""

import re
from dataclasses import dataclass, field


@dataclass
class Record:
    where: str
    kind: str  # query or statement
    head: list  # comments and the line that begins the record
    sql: str
    types: str = ""
    sort: str = "nosort"
    fails: bool = False
    only_weir: bool = False
    duckdb: str = ""
    is_ordered: bool = False
    answer: list = field(default_factory=list)

    def text(self):
        lines = [*self.head, self.sql]
        if self.kind == "query":
            lines += ["----", *self.answer]
        return "\n".join(lines)


@dataclass
class Test:
    parts: list  # records, and blocks of comments as texts

    @property
    def records(self):
        return [part for part in self.parts if isinstance(part, Record)]

    def text(self):
        texts = [p.text() if isinstance(p, Record) else p for p in self.parts]
        return "\n\n".join(texts) + "\n"


def read(path):
    parts = []
    block, first = [], 1
    for number, line in enumerate([*path.read_text().splitlines(), ""], 1):
        if line.strip():
            first = first if block else number
            block.append(line.rstrip())
        elif block:
            parts.append(record(block, path, first))
            block = []
    return Test(parts)


def record(block, path, first):
    """A block of lines as a record; or as a text, if all of it is comments."""
    begins = next((n for n, line in enumerate(block) if re.match(r"query|statement", line)), None)
    if begins is None:
        return "\n".join(block)
    head, rest = block[:begins + 1], block[begins + 1:]
    words = block[begins].split()
    ends = rest.index("----") if "----" in rest else len(rest)
    made = Record("%s:%d" % (path, first + begins), words[0], head, "\n".join(rest[:ends]))
    if made.kind == "query":
        made.types, made.sort = words[1], words[2] if len(words) > 2 else "nosort"
        made.answer = rest[ends + 1:]
    else:
        made.fails = words[1] == "error"
    made.only_weir = "onlyif weir" in head
    made.is_ordered = any(line.startswith("# in the order of packets") for line in head)
    made.duckdb = duckdb_text(head)
    return made


def duckdb_text(head):
    """The lines after '# duckdb:', up to the end of the comment."""
    text, on = [], False
    for line in head:
        if line.startswith("# duckdb:"):
            on = True
            text.append(line[len("# duckdb:"):])
        elif on and line.startswith("#"):
            text.append(line[1:])
        else:
            on = False
    return "\n".join(text).strip()
