"""Weir's SQL as DuckDB's.

Values are plain in DuckDB: a time or an interval is a BIGINT of nanoseconds, an address a BLOB that
begins with its family, a MAC address a text. Rules that differ are written out: windows, ORDER BY
and LIMIT of each window, NULL for a division by zero, CAST to BIGINT.
"""

import re
from dataclasses import dataclass, field

from lexer import (
    Refused, bigint, closing, literal, ns_of_interval, split, subnet, tokens, upper)

CLAUSES = [
    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "WITH"]


@dataclass
class Window:
    time: str
    slide: int
    size: int

    def source(self, stream):
        """The stream with the window of each row; of HOP, a row for each window that holds it."""
        first = "w_floor(%s, %d)" % (self.time, self.slide)
        last = "CAST(w_back AS BIGINT) * %d" % self.slide
        steps = -(-self.size // self.slide)
        return (
            "(SELECT *, w_start + %d AS w_end FROM (SELECT s.*, %s - %s AS w_start, %s AS w_time"
            " FROM %s AS s, range(%d) AS r(w_back)) WHERE w_start + %d > w_time)"
            % (self.size, first, last, self.time, stream, steps, self.size))


@dataclass
class Translator:
    """One SELECT. The window, if it has one, is found while expressions are translated."""

    window: Window = None
    bounds: set = field(default_factory=set)

    def expression(self, words):
        out, i = [], 0
        while i < len(words):
            text, i = self.term(words, i)
            out.append(text)
        return " ".join(out)

    def term(self, words, i):
        word, name = words[i], upper(words, i)
        if word[0] == "'":
            return literal(word), i + 1
        if word[0].isdigit() or word[0] == "." and len(word) > 1:
            return self.number(word), i + 1
        if name in ("TIMESTAMP", "INET", "MACADDR") and upper(words, i + 1)[:1] == "'":
            return literal(words[i + 1]), i + 2
        if name == "INTERVAL":
            return self.interval(words, i)
        if word in ("/", "%"):
            divisor, end = self.primary(words, i + 1)
            return "%s NULLIF(%s, 0)" % (word, divisor), end
        if name == "UNKNOWN" and upper(words, i - 1) not in ("IS", "NOT"):
            return "CAST(NULL AS BOOLEAN)", i + 1
        if name in ("WINDOW_START", "WINDOW_END") and self.window:
            return "w_start" if name == "WINDOW_START" else "w_end", i + 1
        if word[0].isalpha() and upper(words, i + 1) == "(":
            end = closing(words, i + 1)
            translated = self.call(name, words[i + 2:end])
            if translated is not None:
                return translated, end + 1
        return word, i + 1

    @staticmethod
    def number(word):
        if word[:2] in ("0x", "0X"):
            return bigint(int(word, 16))
        if "." in word or "e" in word.lower():
            return "CAST('%s' AS DOUBLE)" % word
        return bigint(int(word)) if len(word) < 19 else word

    @staticmethod
    def interval(words, i):
        sign = ""
        if words[i + 1] in "+-":
            sign, i = words[i + 1], i + 1
        value = words[i + 1]
        if value == "(":
            value, i = words[i + 2], i + 2
        return bigint(ns_of_interval(sign + value.strip("'"), words[i + 2])), i + 3

    def primary(self, words, i):
        """An operand that binds as strongly as can be, and where it ends."""
        start = i
        while words[i] in "+-":
            i += 1
        if words[i] == "(":
            i = closing(words, i)
        elif upper(words, i) == "CASE":
            i = next(n for n in range(i, len(words)) if upper(words, n) == "END")
        elif upper(words, i) == "INTERVAL":
            i += 2
        elif upper(words, i + 1) == "(":
            i = closing(words, i + 1)
        elif upper(words, i + 1) == ".":
            i += 2
        return self.expression(words[start:i + 1]), i + 1

    def call(self, name, inner):
        """A call in DuckDB's words, or None where they are the same."""
        arguments = split(inner)
        if name in ("TUMBLE", "HOP"):
            self.window_of(name, arguments)
            return "w_start, w_end"
        if name in ("TUMBLE_START", "TUMBLE_END", "HOP_START", "HOP_END"):
            self.window_of(name, arguments)
            return "w_" + name.partition("_")[2].lower()
        if name == "CAST":
            return self.cast(inner)
        if name in ("EXTRACT", "DATE_PART", "DATE_TRUNC"):
            return self.part_of_time(name, inner)
        if name == "COUNT" and len(arguments) > 1:
            return self.count(arguments)
        plain = [self.expression(a) for a in arguments]
        if name in ("BITAND", "BITOR"):
            return "(%s)" % (" & " if name == "BITAND" else " | ").join("(%s)" % p for p in plain)
        if name in ("GREATEST", "LEAST"):
            missing = " OR ".join("(%s) IS NULL" % p for p in plain)
            return "(CASE WHEN %s THEN NULL ELSE %s(%s) END)" % (missing, name, ", ".join(plain))
        if name == "ROUND" and len(plain) > 1:
            return "ROUND(%s, CAST(%s AS INTEGER))" % tuple(plain)
        if name == "IN_SUBNET":
            return subnet(plain[0], inner[-1])
        if name == "MOD":
            return "((%s) %% NULLIF(%s, 0))" % tuple(plain)
        renamed = {
            "BITXOR": "xor", "BITNOT": "w_not", "NANOSECONDS": "", "PREFIX": "w_prefix",
            "FAMILY": "w_family", "VARIANCE": "var_samp", "APPROX_COUNT_DISTINCT": "w_distinct",
            "REGEXP_LIKE": "regexp_matches"}
        if name in renamed:
            return "%s(%s)" % (renamed[name], ", ".join(plain))
        return None

    def window_of(self, name, arguments):
        time = " ".join(arguments[0])
        lengths = [int(re.search(r"-?\d+", self.expression(a)).group()) for a in arguments[1:]]
        if time.lower() == "window_end":
            time = "window_end - 1"  # the last instant of a window is its row's time
        window = Window(time, lengths[0], lengths[-1])
        if self.window not in (None, window):
            raise Refused("two windows")
        self.window = window

    def cast(self, inner):
        at = max(n for n in range(len(inner)) if upper(inner, n) == "AS")
        value, kind = self.expression(inner[:at]), upper(inner, at + 1)
        if kind in ("INET", "MACADDR", "TIMESTAMP"):
            return "(%s)" % value
        if kind in ("BIGINT", "INTEGER", "INT"):
            return "w_bigint(%s)" % value
        return "CAST(%s AS %s)" % (value, "VARCHAR" if kind == "VARCHAR" else "DOUBLE")

    def part_of_time(self, name, inner):
        if name == "EXTRACT":
            at = next(n for n in range(len(inner)) if upper(inner, n) == "FROM")
            unit, time = inner[0], inner[at + 1:]
        else:
            unit, time = inner[0].strip("'"), inner[2:]
        text = self.expression(time)
        kind = "trunc" if name == "DATE_TRUNC" else "part"
        if kind == "part" and unit.upper() == "NANOSECOND":
            return "((%s) %% 60000000000)" % text
        return "w_%s('%s', %s)" % (kind, unit.lower(), text)

    def count(self, arguments):
        """COUNT of tuples in which nothing is NULL."""
        distinct = upper(arguments[0], 0) == "DISTINCT"
        first = arguments[0][1:] if distinct else arguments[0]
        plain = [self.expression(a) for a in [first, *arguments[1:]]]
        whole = " AND ".join("(%s) IS NOT NULL" % p for p in plain)
        if not distinct:
            return "COUNT(CASE WHEN %s THEN 1 END)" % whole
        return "COUNT(DISTINCT CASE WHEN %s THEN (%s) END)" % (whole, ", ".join(plain))


def clauses(words):
    """The clauses by name, each without its first words."""
    found, name, depth, i = {}, None, 0, 0
    while i < len(words):
        depth += {"(": 1, ")": -1}.get(words[i], 0)
        is_operator = upper(words, i) == "FROM" and upper(words, i - 1) == "DISTINCT"
        if depth == 0 and upper(words, i) in CLAUSES and not is_operator:
            name = upper(words, i)
            found[name] = []
            i += 2 if name in ("GROUP", "ORDER") else 1
            continue
        if name is None:
            raise Refused("no SELECT")
        found[name].append(words[i])
        i += 1
    return found


def item(words):
    """An item of SELECT: its expression and its alias or None."""
    if len(words) > 2 and upper(words, len(words) - 2) == "AS":
        return words[:-2], words[-1]
    if len(words) < 2 or upper(words, len(words) - 3) == "INTERVAL":
        return words, None
    last, before = words[-1], words[-2]
    is_name = re.match(r'[A-Za-z_"]', last) and last.upper() not in ("END", "NULL", "TRUE", "FALSE")
    if is_name and (before == ")" or re.match(r"[\w\"']", before)) and before.upper() not in (
            "AND", "OR", "NOT", "IS", "DISTINCT", "BETWEEN", "IN", "FROM", "UNKNOWN"):
        return words[:-1], last
    return words, None


def table_function(words):
    """FROM TABLE(TUMBLE(TABLE packets, DESCRIPTOR(ts), …)): the stream, and the call to make."""
    inner = words[2:closing(words, 1)]
    arguments = split(inner[2:-1])
    return arguments[0][1], inner[0].upper(), [arguments[1][2:-1], *arguments[2:]]


def factor(words, i):
    """A stream or a sub-query at i: its text, and where its alias begins."""
    if words[i] == "(":
        end = closing(words, i)
        return "(%s)" % query(words[i + 1:end]), end + 1
    return words[i], i + 1


def joined(words):
    """FROM a JOIN b ON … with sub-queries in place of streams."""
    out, i = [], 0
    while i < len(words):
        starts = not out or upper(words, i - 1) in ("JOIN", ",")
        if starts:
            text, i = factor(words, i)
        elif upper(words, i) == "ON":
            end = next((n for n in range(i + 1, len(words)) if upper(words, n) in (
                "JOIN", "LEFT", "RIGHT", "FULL", "INNER")), len(words))
            text, i = "ON " + Translator().expression(words[i + 1:end]), end
        else:
            text, i = words[i], i + 1
        out.append(text)
    return " ".join(out)


def at_depth(words, wanted):
    """Where a word stands outside of parentheses; none if it does not."""
    depth = 0
    for n, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word.upper() == wanted:
            return n
    return None


def query(words):
    """WITH, UNION ALL and SELECT."""
    if upper(words, 0) == "WITH":
        named, i = [], 1
        while not named or words[i] == ",":
            i += 1 if named else 0
            end = closing(words, i + 2)
            named.append("%s AS (%s)" % (words[i], query(words[i + 3:end])))
            i = end + 1
        return "WITH %s %s" % (", ".join(named), query(words[i:]))
    union = at_depth(words, "UNION")
    if union is not None:
        sides = query(words[:union]), query(words[union + 2:])
        return "SELECT * FROM (%s) UNION ALL SELECT * FROM (%s)" % sides
    return select(words)


def select(words):
    """A SELECT of Weir as one of DuckDB."""
    parts = clauses(words)
    translator = Translator()
    source = parts["FROM"]
    if upper(source, 0) == "TABLE":
        stream, name, arguments = table_function(source)
        translator.window_of(name, arguments)
        alias = ""
    elif at_depth(source, "JOIN") is not None:
        stream, alias = joined(source), " "
    else:
        stream, end = factor(source, 0)
        alias = " ".join(source[end:])
    distinct = upper(parts["SELECT"], 0) == "DISTINCT"
    items = [item(words) for words in split(parts["SELECT"][1 if distinct else 0:])]
    grouping = [grouped(words, items, translator) for words in split(parts.get("GROUP", []))]
    shown = [(translator.expression(words), alias_) for words, alias_ in items]
    from_ = translator.window.source(stream) if translator.window else stream
    body = " FROM %s %s" % (from_, alias or ("AS " + stream if re.match(r"\w+$", stream) else ""))
    if "WHERE" in parts:
        body += " WHERE " + translator.expression(parts["WHERE"])
    if grouping and grouping[0]:
        body += " GROUP BY " + ", ".join(bound(grouping, translator))
    if "HAVING" in parts:
        body += " HAVING " + translator.expression(having(parts["HAVING"], items))
    return finished(parts, translator, shown, items, body, distinct, bool(parts.get("GROUP")))


def grouped(words, items, translator):
    """A key of GROUP BY: a position and an alias mean the item."""
    if len(words) == 1 and words[0].isdigit():
        words = items[int(words[0]) - 1][0]
    else:
        named = [i for i, alias in items if alias and [alias.lower()] == [w.lower() for w in words]]
        words = named[0] if named else words
    return translator.expression(words) if words else ""


def bound(grouping, translator):
    """Both bounds of the window are keys, if one is."""
    bounds = ["w_start", "w_end"]
    keys = [k for k in dict.fromkeys(grouping) if k not in [*bounds, "w_start, w_end"]]
    return bounds + keys if translator.window else keys


def having(words, items):
    """Aliases in HAVING become what they stand for."""
    out = []
    for n, word in enumerate(words):
        named = [i for i, alias in items if alias and alias.lower() == word.lower()]
        call = upper(words, n + 1) == "("
        out += ["(", *named[0], ")"] if named and not call else [word]
    return out


def limits(parts):
    offset = int(parts["OFFSET"][0]) if "OFFSET" in parts else 0
    if "FETCH" in parts:
        return int(parts["FETCH"][1]), offset
    return (int(parts["LIMIT"][0]) if "LIMIT" in parts else None), offset


def finished(parts, translator, shown, items, body, distinct, is_grouped):
    """The rows in order, and of each window as many as LIMIT lets pass."""
    limit, offset = limits(parts)
    star = any(text.endswith("*") and len(text) < 12 and "(" not in text for text, _ in shown)
    columns = ", ".join(text + (" AS " + alias if alias else "") for text, alias in shown)
    head = "SELECT " + ("DISTINCT " if distinct else "")
    windowed = translator.window is not None and is_grouped
    if star or not windowed and "ORDER" not in parts:
        end = "" if limit is None else " LIMIT %d" % limit
        return head + columns + body + end + (" OFFSET %d" % offset if offset else "")
    terms = ["w_window"] if windowed else []
    terms += [order(words, items, translator) for words in split(parts.get("ORDER", [])) if words]
    numbered = ", ".join(
        ["%s AS c%d" % (text, n) for n, (text, _) in enumerate(shown)]
        + (["w_start AS w_window"] if windowed else []))
    partition = "PARTITION BY w_window " if windowed else ""
    place = "row_number() OVER (%s%s)" % (
        partition, "ORDER BY " + ", ".join(terms) if terms else "")
    names = ", ".join("c%d AS %s" % (n, name(pair)) for n, pair in enumerate(zip(shown, items)))
    upto = "" if limit is None else " AND w_place <= %d" % (limit + offset)
    placed = "SELECT *, %s AS w_place FROM (%s%s%s)" % (place, head, numbered, body)
    return "SELECT %s FROM (%s) WHERE w_place > %d%s ORDER BY %s" % (
        names, placed, offset, upto, ", ".join([*terms, "w_place"]))


def name(pair):
    (_, alias), (words, _) = pair
    if alias:
        return alias
    is_name = re.match(r"[A-Za-z_]\w*$", words[-1])
    return words[-1] if is_name else '"%s"' % "".join(words).replace('"', "")


def order(words, items, translator):
    """A term of ORDER BY as the column of the item that it names."""
    tail = []
    while len(words) > 1 and words[-1].upper() in ("ASC", "DESC", "NULLS", "FIRST", "LAST"):
        tail.insert(0, words[-1])
        words = words[:-1]
    if len(words) == 1 and words[0].isdigit():
        return " ".join(["c%d" % (int(words[0]) - 1), *tail])
    lowered = [w.lower() for w in words]
    for n, (expression, alias) in enumerate(items):
        if alias and lowered == [alias.lower()] or lowered == [w.lower() for w in expression]:
            return " ".join(["c%d" % n, *tail])
    for n, (expression, _) in enumerate(items):
        if translator.expression(expression) == translator.expression(words):
            return " ".join(["c%d" % n, *tail])
    raise Refused("ORDER BY names no column of SELECT: " + " ".join(words))


def statement(sql):
    """A statement of Weir as one of DuckDB."""
    match = re.match(r"\s*CREATE\s+(OR\s+REPLACE\s+)?QUERY\s+(\S+)\s+AS\s+(.*)", sql, re.I | re.S)
    if match:
        return "CREATE OR REPLACE TEMP VIEW %s AS %s" % (match.group(2), query(tokens(match.group(3))))
    return query(tokens(sql))
