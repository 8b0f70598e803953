#!/usr/bin/env python3
"""Writes packets/NAME.csv.gz: the packets of each capture, as tshark decodes them.

DuckDB reads these tables. Weir has no part in them, so a fault of Weir's decoder shows as a
difference, too. Needs tshark 4.
"""

import gzip
import io
import os
import subprocess

import files

FIELDS = """frame.time_epoch frame.len frame.cap_len eth.src eth.dst vlan.id vlan.priority
ieee8021ad.id ieee8021ad.priority
ip.src ip.dst ip.proto ip.len ip.hdr_len ip.ttl ip.dsfield ip.id ip.flags ip.frag_offset
ipv6.src ipv6.dst ipv6.nxt ipv6.plen ipv6.hlim ipv6.tclass
ipv6.hopopts.nxt ipv6.hopopts.len_oct ipv6.dstopts.nxt ipv6.dstopts.len_oct
ipv6.fraghdr.nxt ipv6.fraghdr.offset ipv6.fraghdr.more ipv6.fraghdr.ident
tcp.srcport tcp.dstport tcp.flags tcp.seq_raw tcp.ack_raw tcp.window_size_value tcp.hdr_len
udp.srcport udp.dstport sctp.srcport sctp.dstport
icmp.type icmp.code icmpv6.type icmpv6.code""".split()

# Nothing else is dissected, so each field is of the outermost header.
PROTOCOLS = """frame eth ethertype vlan ieee8021ad ip ipv6 ipv6.hopopts ipv6.dstopts ipv6.fraghdr
ipv6.routing tcp udp sctp icmp icmpv6""".split()

COLUMNS = """ts src_addr dst_addr src_port dst_port proto bytes frame_bytes payload_bytes
tcp_flags tcp_seq tcp_ack tcp_window ip_ttl ip_tos ip_id fragment_offset etype src_mac dst_mac
vlan_id icmp_type icmp_code ip_flags capture_bytes vlan_priority inner_vlan_id""".split()

HEADER_BYTES = {17: 8, 132: 12, 1: 4, 58: 4}


def export(capture):
    """Yields a dict of texts for each frame."""
    command = ["tshark", "-n", "-r", str(capture), "--disable-protocol", "ALL"]
    for protocol in PROTOCOLS:
        command += ["--enable-protocol", protocol]
    for off in ("ip.defragment", "ipv6.defragment", "tcp.desegment_tcp_streams",
                "tcp.analyze_sequence_numbers"):
        command += ["-o", off + ":FALSE"]
    command += ["-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,"]
    for field in FIELDS:
        command += ["-e", field]
    environment = dict(os.environ, TZ="UTC", LC_ALL="C")
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        values = [text.split(",") for text in line.split("\t")]
        frame = {field: value[0] for field, value in zip(FIELDS, values)}
        yield frame, tags(dict(zip(FIELDS, values)))


def tags(frame):
    """The VLAN tags of a frame, as id and priority. Those of 802.1ad are the outer ones."""
    pairs = []
    for name in ("ieee8021ad", "vlan"):
        pairs += zip(map(number, frame[name + ".id"]), map(number, frame[name + ".priority"]))
    return [pair for pair in pairs if pair[0] or pair[1]]


def nanoseconds(epoch):
    seconds, fraction = epoch.split(".")
    return int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0"))


def number(text):
    return int(text, 0) if text else 0


def ip(frame):
    """The columns of the IP header, and its length with all that comes before the transport's."""
    if frame["ip.src"]:
        header = number(frame["ip.hdr_len"])
        return header, dict(
            src_addr=frame["ip.src"], dst_addr=frame["ip.dst"], proto=number(frame["ip.proto"]),
            bytes=number(frame["ip.len"]), ip_ttl=number(frame["ip.ttl"]),
            ip_tos=number(frame["ip.dsfield"]), ip_id=number(frame["ip.id"]),
            fragment_offset=number(frame["ip.frag_offset"]), ip_flags=number(frame["ip.flags"]),
            etype=0x0800)
    header, proto = 40, number(frame["ipv6.nxt"])
    for extension, name in ((0, "ipv6.hopopts"), (60, "ipv6.dstopts")):
        if proto == extension:
            header += number(frame[name + ".len_oct"])
            proto = number(frame[name + ".nxt"])
    if proto == 44:
        header, proto = header + 8, number(frame["ipv6.fraghdr.nxt"])
    return header, dict(
        src_addr=frame["ipv6.src"], dst_addr=frame["ipv6.dst"], proto=proto,
        bytes=40 + number(frame["ipv6.plen"]), ip_ttl=number(frame["ipv6.hlim"]),
        ip_tos=number(frame["ipv6.tclass"]), ip_id=number(frame["ipv6.fraghdr.ident"]),
        fragment_offset=number(frame["ipv6.fraghdr.offset"]),
        ip_flags=number(frame["ipv6.fraghdr.more"]), etype=0x86DD)


def transport(frame, proto):
    """The columns of the transport header, and its length."""
    row = {}
    if proto == 6:
        row = dict(
            src_port=frame["tcp.srcport"], dst_port=frame["tcp.dstport"],
            tcp_flags=number(frame["tcp.flags"]) & 0xFF, tcp_seq=frame["tcp.seq_raw"],
            tcp_ack=frame["tcp.ack_raw"], tcp_window=frame["tcp.window_size_value"])
        return number(frame["tcp.hdr_len"]) or 20, row
    if proto in (17, 132):
        name = "udp" if proto == 17 else "sctp"
        row = dict(src_port=frame[name + ".srcport"], dst_port=frame[name + ".dstport"])
    elif proto in (1, 58):
        name = "icmp" if proto == 1 else "icmpv6"
        row = dict(icmp_type=frame[name + ".type"], icmp_code=frame[name + ".code"])
    return HEADER_BYTES.get(proto, 0), row


def packet(frame, vlans):
    header, row = ip(frame)
    vlans = vlans + [(0, 0), (0, 0)]
    row.update(
        ts=nanoseconds(frame["frame.time_epoch"]), frame_bytes=frame["frame.len"],
        src_mac=frame["eth.src"], dst_mac=frame["eth.dst"],
        capture_bytes=frame["frame.cap_len"], vlan_id=vlans[0][0], vlan_priority=vlans[0][1],
        inner_vlan_id=vlans[1][0])
    if row["fragment_offset"] == 0:
        length, columns = transport(frame, row["proto"])
        header += length
        row.update(columns)
    row["payload_bytes"] = max(0, row["bytes"] - header)
    return [row.get(column) or 0 for column in COLUMNS]


def write(name, capture):
    text = io.StringIO()
    text.write(",".join(COLUMNS) + "\n")
    for frame, vlans in export(capture):
        if frame["ip.src"] or frame["ipv6.src"]:
            text.write(",".join(map(str, packet(frame, vlans))) + "\n")
    packed = gzip.compress(text.getvalue().encode(), 9, mtime=0)
    files.table(name).write_bytes(packed)


if __name__ == "__main__":
    for capture_name, path in files.CAPTURES.items():
        write(capture_name, path)
