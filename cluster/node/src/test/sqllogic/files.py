"""Where the captures, the tables and the tests are."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

# The folder of the tests, and the capture that they read.
CAPTURES = {
    "demo": HERE.parents[4] / "demo" / "capture.pcap",
    "mixed": HERE / "captures" / "mixed.pcap",
    "calendar": HERE / "captures" / "calendar.pcap",
}


def table(name):
    return HERE / "packets" / (name + ".csv.gz")


def tests(name):
    return sorted((HERE / name).glob("*.test"))
