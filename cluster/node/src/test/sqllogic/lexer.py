"""Tokens and literals of Weir's SQL."""

import datetime
import ipaddress
import re

TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)
      | (?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<string>'(?:[^']|'')*')
      | (?P<quoted>"[^"]*")
      | (?P<word>[A-Za-z_]\w*)
      | (?P<op>\|\||<>|<=|>=|<<|>>|!=|[-+*/%=<>(),.;])""",
    re.VERBOSE | re.DOTALL)

UNIT_NS = {
    "NANOSECOND": 1, "MICROSECOND": 1_000, "MILLISECOND": 1_000_000, "SECOND": 10**9,
    "MINUTE": 60 * 10**9, "HOUR": 3600 * 10**9, "DAY": 86400 * 10**9, "WEEK": 7 * 86400 * 10**9}

class Refused(Exception):
    """DuckDB cannot say this, or the translation cannot."""


def tokens(sql):
    found, at = [], 0
    while at < len(sql):
        match = TOKEN.match(sql, at)
        if not match:
            raise Refused("no token at " + sql[at:at + 20])
        at = match.end()
        if match.lastgroup != "space":
            found.append(match.group())
    if found and found[-1] == ";":
        found.pop()
    return found


def upper(words, at):
    return words[at].upper() if 0 <= at < len(words) else ""


def closing(words, at):
    """Where the bracket that opens at this place closes."""
    depth = 0
    for i in range(at, len(words)):
        depth += {"(": 1, ")": -1}.get(words[i], 0)
        if depth == 0:
            return i
    raise Refused("a bracket does not close")


def split(words, separator=","):
    """The parts between separators that are in no brackets."""
    parts, depth = [[]], 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def ns_of_time(text):
    text = text.strip().replace("T", " ").rstrip("Z")
    whole, _, fraction = text.partition(".")
    form = "%Y-%m-%d %H:%M:%S" if ":" in whole else "%Y-%m-%d"
    moment = datetime.datetime.strptime(whole, form).replace(tzinfo=datetime.timezone.utc)
    return int(moment.timestamp()) * 10**9 + int(fraction.ljust(9, "0") or 0)


def ns_of_interval(text, unit):
    name = unit.upper()
    name = name[:-1] if name.endswith("S") else name
    whole, _, fraction = text.strip().lstrip("+-").partition(".")
    ns = int(whole or 0) * UNIT_NS[name] + int(fraction.ljust(9, "0") or 0) * UNIT_NS[name] // 10**9
    return -ns if text.strip().startswith("-") else ns


def bigint(number):
    return "CAST(%d AS BIGINT)" % number


def blob(packed):
    family = 4 if len(packed) == 4 else 6
    return "'" + "".join("\\x%02X" % b for b in bytes([family]) + packed) + "'::BLOB"


def literal(word):
    """A string where an address, a MAC address or a time may be meant; else a text."""
    text = word[1:-1].replace("''", "'")
    if re.fullmatch(r"[0-9.]{7,15}|[0-9a-fA-F]*:[0-9a-fA-F:.]*", text):
        if re.fullmatch(r"(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}", text):
            return "'" + text.lower() + "'"
        return blob(ipaddress.ip_address(text).packed)
    if re.fullmatch(r"\d{4}-\d\d-\d\d([ T].*)?", text):
        return bigint(ns_of_time(text))
    return word


def subnet(address, text):
    network = ipaddress.ip_network(text.strip("'"), strict=False)
    return "(%s BETWEEN %s AND %s)" % (
        address, blob(network.network_address.packed), blob(network.broadcast_address.packed))
