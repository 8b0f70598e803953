#!/usr/bin/env python3
"""Writes captures/mixed.pcap and captures/calendar.pcap. The same bytes come each time.

mixed     many kinds of packets: IPv4 and IPv6, TCP, UDP, SCTP, ICMP, fragments, extension headers,
          VLAN tags, and the least and greatest values of fields
calendar  three packets at each of many instants: before, at and after the ends of seconds, hours,
          days, weeks, months and years, from 1970 to 2106
"""

import calendar
import datetime
import ipaddress
import pathlib
import random
import struct

HERE = pathlib.Path(__file__).resolve().parent
SNAP_LENGTH = 96
SECOND_NS = 1_000_000_000

HOSTS4 = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.1.1", "10.1.0.1", "172.16.5.9", "192.0.2.1",
          "192.0.2.129", "198.51.100.7", "203.0.113.255", "0.0.0.0", "255.255.255.255", "127.0.0.1",
          "128.0.0.1", "224.0.0.251"]
HOSTS6 = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8:ffff::1", "fe80::1", "ff02::1",
          "::", "::1", "::ffff:10.0.0.1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]
PORTS = [0, 1, 22, 53, 80, 123, 443, 5353, 8080, 32768, 49152, 50000, 65535]
MACS = ["02:00:00:00:00:01", "02:00:00:00:00:02", "00:00:5e:00:53:ff", "ff:ff:ff:ff:ff:ff"]


def mac(text):
    return bytes.fromhex(text.replace(":", ""))


def ethernet(rnd, etype, packet):
    """The packet in a frame, at times with one or two VLAN tags."""
    tags = b""
    kind = rnd.getrandbits(4)
    if kind == 0:
        tags = struct.pack(">HH", 0x8100, rnd.choice([0, 1, 20, 4094]) | rnd.getrandbits(3) << 13)
    elif kind == 1:
        tags = struct.pack(">HHHH", 0x88A8, rnd.choice([100, 4095]), 0x8100, 200)
    ends = mac(rnd.choice(MACS)) + mac(rnd.choice(MACS[:3]))
    return ends + tags + struct.pack(">H", etype) + packet


def tcp(rnd):
    options = rnd.choice([0, 0, 0, 3, 10])
    flags = rnd.choice([0x02, 0x12, 0x10, 0x18, 0x11, 0x04, 0x14, 0xFF, 0x00, 0xC2])
    edge = [0, 1, 2**31 - 1, 2**31, 2**32 - 1]
    seq = rnd.choice(edge) if rnd.getrandbits(3) == 0 else rnd.getrandbits(32)
    ack = rnd.choice(edge) if rnd.getrandbits(3) == 0 else rnd.getrandbits(32)
    header = struct.pack(
        ">HHIIBBHHH", rnd.choice(PORTS), rnd.choice(PORTS), seq, ack, (5 + options) << 4, flags,
        rnd.choice([0, 1, 512, 29200, 65535]), 0, 0)
    return header + b"\x01" * (4 * options)


def transport(rnd, version):
    """A protocol's number and its header."""
    kind = rnd.getrandbits(5)
    if kind < 14:
        return 6, tcp(rnd)
    if kind < 25:
        return 17, None
    if kind < 28:
        if version == 4:
            return 1, struct.pack(">BBHI", rnd.choice([0, 8, 13]), rnd.choice([0, 0, 3]), 0, 7)
        return 58, struct.pack(">BBHI", rnd.choice([128, 129, 135]), 0, 0, 0) + b"\0" * 16
    if kind < 30:
        return 132, struct.pack(">HHII", rnd.choice(PORTS), rnd.choice(PORTS), 1, 0)
    return rnd.choice([2, 47, 50, 253]), b""


def layer4(rnd, version, payload):
    proto, header = transport(rnd, version)
    if proto == 17:
        header = struct.pack(">HHHH", rnd.choice(PORTS), rnd.choice(PORTS), 8 + payload, 0)
    return proto, header + b"\0" * payload


def payload_bytes(rnd):
    return rnd.choice([0, 0, 1, 12, 64, 100, 512, 1200, rnd.getrandbits(10)])


def ipv4(rnd):
    proto, body = layer4(rnd, 4, payload_bytes(rnd))
    options = b"\x01\x01\x01\x01" if rnd.getrandbits(4) == 0 else b""
    fragment = 0
    kind = rnd.getrandbits(4)
    if kind == 0:
        fragment = 0x2000  # the first fragment
    elif kind == 1:
        fragment = rnd.choice([1, 8, 185, 8191]) | rnd.choice([0, 0x2000])
    header = struct.pack(
        ">BBHHHBBH4s4s", 0x40 | 5 + len(options) // 4, rnd.choice([0, 0, 0, 0x10, 0xB8, 0xFF]),
        20 + len(options) + len(body), rnd.choice([0, 1, 65535, rnd.getrandbits(16)]), fragment,
        rnd.choice([1, 64, 64, 63, 128, 255, 0]), proto, 0,
        ipaddress.IPv4Address(rnd.choice(HOSTS4)).packed,
        ipaddress.IPv4Address(rnd.choice(HOSTS4)).packed)
    return header + options + body


def ipv6(rnd):
    proto, body = layer4(rnd, 6, payload_bytes(rnd))
    kind = rnd.getrandbits(4)
    if kind == 0:
        body, proto = struct.pack(">BB", proto, 0) + b"\x01\x04\0\0\0\0" + body, 0
    elif kind == 1:
        body, proto = struct.pack(">BB", proto, 0) + b"\x01\x04\0\0\0\0" + body, 60
    elif kind in (2, 3):
        offset = 0 if kind == 2 else rnd.choice([1, 181, 8191])
        place = offset << 3 | rnd.getrandbits(1)
        fragment = struct.pack(">BBHI", proto, 0, place, rnd.getrandbits(32))
        body, proto = fragment + body, 44
    header = struct.pack(
        ">IHBB16s16s", 6 << 28 | rnd.choice([0, 0, 0x28, 0xFF]) << 20 | rnd.getrandbits(20),
        len(body), proto, rnd.choice([1, 64, 64, 255, 0]),
        ipaddress.IPv6Address(rnd.choice(HOSTS6)).packed,
        ipaddress.IPv6Address(rnd.choice(HOSTS6)).packed)
    return header + body


ARP = bytes.fromhex("0001080006040001") + mac(MACS[0]) + bytes(4) + bytes(6) + bytes(4)


def write(name, packets):
    """Packets are pairs of nanoseconds since 1970 and a frame. Nanosecond pcap, Ethernet."""
    with open(HERE / "captures" / name, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, SNAP_LENGTH, 1))
        for time_ns, frame in packets:
            kept = frame[:SNAP_LENGTH]
            out.write(struct.pack(
                "<IIII", time_ns // SECOND_NS, time_ns % SECOND_NS, len(kept), len(frame)))
            out.write(kept)


def mixed(count=1600):
    """About 100 s, with quiet seconds; each tenth packet is up to 0.4 s behind the newest."""
    rnd = random.Random(32)
    now_ns = 1_767_225_600 * SECOND_NS - 20 * SECOND_NS  # the year 2026 begins in mid-capture
    for _ in range(count):
        step = rnd.getrandbits(26)
        if rnd.getrandbits(7) == 0:
            step += 3 * SECOND_NS
        now_ns += step
        behind = rnd.getrandbits(28) if rnd.randrange(10) == 0 else 0
        kind = rnd.randrange(20)
        if kind == 0:
            frame = ethernet(rnd, 0x0806, ARP)
        elif kind < 14:
            frame = ethernet(rnd, 0x0800, ipv4(rnd))
        else:
            frame = ethernet(rnd, 0x86DD, ipv6(rnd))
        yield now_ns - behind, frame


def instants():
    """Ends of all kinds of spans, in nanoseconds since 1970."""
    utc = datetime.timezone.utc
    for year in (1972, 1999, 2000, 2004, 2009, 2020, 2021, 2024, 2026, 2038, 2100, 2105):
        for month, day, hour in ((1, 1, 0), (1, 4, 12), (2, 29, 6), (3, 1, 0), (7, 1, 0),
                                 (12, 28, 23), (12, 31, 23)):
            if day == 29 and not calendar.isleap(year):
                day = 28
            moment = datetime.datetime(year, month, day, hour, tzinfo=utc)
            yield int(moment.timestamp()) * SECOND_NS


def calendar_packets():
    """Each instant has a packet 1 ns before, one at and one after it: time moves only so."""
    rnd = random.Random(7)
    for number, instant_ns in enumerate([SECOND_NS, *instants()]):
        for offset_ns in (-1, 0, 1 + rnd.getrandbits(31)):
            udp = struct.pack(">HHHH", 1000 + number % 5, 53, 8 + number, 0) + b"\0" * number
            header = struct.pack(
                ">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), number, 0, 64, 17, 0,
                ipaddress.IPv4Address("10.0.0.%d" % (1 + number % 3)).packed,
                ipaddress.IPv4Address("192.0.2.53").packed)
            ends = mac(MACS[0]) + mac(MACS[1])
            yield instant_ns + offset_ns, ends + struct.pack(">H", 0x0800) + header + udp


if __name__ == "__main__":
    write("mixed.pcap", mixed())
    write("calendar.pcap", calendar_packets())
