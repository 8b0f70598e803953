"""802.1Q and 802.1ad sub-interfaces in user space.

Joins tap devices to a port of the LAN: frames written to a tap leave the port with the tap's
tags, and frames that arrive there with those tags reach the tap without them. It stands in for
the kernel's 8021q module, which small kernels are built without.

    vlan.py eth0 vlan20=20 inner200=100.200
"""

import fcntl
import os
import select
import socket
import struct
import sys

IFF_TAP = 0x0002
IFF_NO_PI = 0x1000
TUNSETIFF = 0x400454CA
ETH_P_ALL = 0x0003
SOL_PACKET = 263
PACKET_AUXDATA = 8
PACKET_OUTGOING = 4
VLAN_VALID = 1 << 4
TPID_8021Q = 0x8100
TPID_8021AD = 0x88A8
ADDRESSES_BYTES = 12
FRAME_BYTES = 65536


def tags_for(ids):
    """The tag bytes of "20" (one 802.1Q tag) or "100.200" (an 802.1ad tag before it)."""
    numbers = [int(number) for number in ids.split(".")]
    tpids = [TPID_8021AD] * (len(numbers) - 1) + [TPID_8021Q]
    return b"".join(struct.pack("!HH", tpid, vid) for tpid, vid in zip(tpids, numbers))


def open_tap(name):
    tap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def open_port(name):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    port.bind((name, 0))
    port.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    return port


def receive(port):
    """The next frame as it was on the wire: the kernel hands the outer tag over beside it."""
    frame, extra, _, sender = port.recvmsg(FRAME_BYTES, 256)
    if sender[2] == PACKET_OUTGOING:
        return None
    for _, _, data in extra:
        status, _, _, _, _, tci, tpid = struct.unpack_from("=IIIHHHH", data)
        if status & VLAN_VALID:
            tag = struct.pack("!HH", tpid, tci)
            frame = frame[:ADDRESSES_BYTES] + tag + frame[ADDRESSES_BYTES:]
    return frame


def main():
    port = open_port(sys.argv[1])
    taps = {}
    for pair in sys.argv[2:]:
        name, ids = pair.split("=")
        taps[open_tap(name)] = tags_for(ids)
    while True:
        ready, _, _ = select.select([port, *taps], [], [])
        for source in ready:
            if source is port:
                frame = receive(port)
                for tap, tags in taps.items():
                    end = ADDRESSES_BYTES + len(tags)
                    if frame and frame[ADDRESSES_BYTES:end] == tags:
                        os.write(tap, frame[:ADDRESSES_BYTES] + frame[end:])
            else:
                frame = os.read(source, FRAME_BYTES)
                port.send(frame[:ADDRESSES_BYTES] + taps[source] + frame[ADDRESSES_BYTES:])


main()
