package io.weir.ingest.capture;

/**
 * A part of a capture file with a clock of its own: a section of pcapng, or the whole file.
 *
 * @param position of its first byte
 * @param endPosition of the first byte behind it; {@link Long#MAX_VALUE}: the file's end
 * @param packetsBefore packets of the file before it
 * @param earliestNs no packet of it is older
 */
public record Section(long position, long endPosition, long packetsBefore, long earliestNs) {
    static final Section WHOLE_FILE = new Section(0, Long.MAX_VALUE, 0, Long.MIN_VALUE);

    /** Returns this section with another earliest time. */
    public Section from(long ns) {
        return new Section(position, endPosition, packetsBefore, ns);
    }
}
