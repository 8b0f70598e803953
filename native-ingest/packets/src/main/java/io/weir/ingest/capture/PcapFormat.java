package io.weir.ingest.capture;

/**
 * The format in the magic number of a pcap file.
 *
 * @param swapped whether its integers are in the other byte order than this machine's
 * @param unitNs nanoseconds of one unit of a record's second time word
 * @param recordHeaderBytes 16, or 24 for Kuznetzov's patched libpcap (Red Hat 6)
 */
record PcapFormat(boolean swapped, int unitNs, int recordHeaderBytes) {
    private static final int MICROSECONDS = 0xA1B2C3D4;
    private static final int NANOSECONDS = 0xA1B23C4D;
    private static final int KUZNETZOV = 0xA1B2CD34;

    /**
     * Returns the format of a file whose first word, read little endian, is this; null when none.
     */
    static PcapFormat of(int magic) {
        PcapFormat straight = of(magic, false);
        return straight != null ? straight : of(Integer.reverseBytes(magic), true);
    }

    private static PcapFormat of(int magic, boolean swapped) {
        return switch (magic) {
            case MICROSECONDS -> new PcapFormat(swapped, 1000, 16);
            case NANOSECONDS -> new PcapFormat(swapped, 1, 16);
            case KUZNETZOV -> new PcapFormat(swapped, 1000, 24);
            default -> null;
        };
    }
}
