package io.weir.ingest.capture;

import io.weir.operators.memory.Memory;

/**
 * One interface of a pcapng section: link type, snap length, and the unit of its time stamps. It
 * comes from an interface description block, whose bad options are ignored. Immutable.
 */
final class PcapngInterface {
    private static final int OPTION_END = 0;
    private static final int OPTION_TS_RESOLUTION = 9;
    private static final int OPTION_TS_OFFSET = 14;
    private static final int BINARY = 0x80;
    private static final int MICROSECONDS = 6;
    private static final int NANOSECONDS = 9;

    /** 10^19 is the largest power of ten in an unsigned 64-bit word. */
    private static final int LARGEST_POWER = 19;

    private static final long NANOS = 1_000_000_000L;

    final int linkType;

    /** As declared; 0 is no limit. */
    final long snapLen;

    private final int resolution;
    private final long offsetSeconds;

    private PcapngInterface(int linkType, long snapLen, int resolution, long offsetSeconds) {
        this.linkType = linkType;
        this.snapLen = snapLen;
        this.resolution = resolution;
        this.offsetSeconds = offsetSeconds;
    }

    /**
     * @param body of the block, after its type and length
     * @param end of the body
     */
    static PcapngInterface of(long body, long end, boolean swapped) {
        int linkType = half(body, swapped);
        long snapLen = word(body + 4, swapped) & 0xFFFF_FFFFL;
        int resolution = MICROSECONDS;
        long offset = 0;
        long option = body + 8;
        while (option + 4 <= end) {
            int code = half(option, swapped);
            int length = half(option + 2, swapped);
            if (code == OPTION_END || option + 4 + length > end) {
                break;
            }
            if (code == OPTION_TS_RESOLUTION && length == 1) {
                resolution = Memory.getByte(option + 4) & 0xFF;
            } else if (code == OPTION_TS_OFFSET && length == 8) {
                long raw = Memory.getLong(option + 4);
                offset = swapped ? Long.reverseBytes(raw) : raw;
            }
            option += 4 + (length + 3 & -4);
        }
        return new PcapngInterface(linkType, snapLen, resolution, offset);
    }

    /** Returns the nanoseconds of a unit if times are this and no more; else 0. */
    int unitNs() {
        if (offsetSeconds != 0 || resolution != MICROSECONDS && resolution != NANOSECONDS) {
            return 0;
        }
        return resolution == MICROSECONDS ? 1000 : 1;
    }

    /** Nanoseconds since the epoch of a time stamp in this interface's units. */
    long timeNs(long units) {
        if (offsetSeconds == 0 && units >= 0) {
            if (resolution == MICROSECONDS && units < CaptureFile.FARTHEST_SECONDS * 1_000_000) {
                return units * 1000;
            }
            if (resolution == NANOSECONDS && units < CaptureFile.FARTHEST_SECONDS * NANOS) {
                return units;
            }
        }
        return (resolution & BINARY) != 0
                ? binary(units, resolution & ~BINARY)
                : decimal(units, resolution);
    }

    private long decimal(long units, int power) {
        if (power > LARGEST_POWER) {
            int shorter = power - NANOSECONDS;
            boolean tooFine = shorter > LARGEST_POWER;
            return total(0, tooFine ? 0 : Long.divideUnsigned(units, powerOfTen(shorter)));
        }
        long perSecond = powerOfTen(power);
        long rest = Long.remainderUnsigned(units, perSecond);
        long nanos =
                power <= NANOSECONDS
                        ? rest * powerOfTen(NANOSECONDS - power)
                        : Long.divideUnsigned(rest, powerOfTen(power - NANOSECONDS));
        return total(Long.divideUnsigned(units, perSecond), nanos);
    }

    private long binary(long units, int power) {
        long seconds = power == 0 ? units : power > 63 ? 0 : units >>> power;
        long rest = power == 0 ? 0 : power > 63 ? units : units & (1L << power) - 1;
        long low = rest * NANOS;
        long high = Math.multiplyHigh(rest, NANOS) + (rest >> 63 & NANOS);
        long nanos;
        if (power < 64) {
            nanos = power == 0 ? 0 : high << 64 - power | low >>> power;
        } else {
            nanos = high >>> Math.min(power - 64, 63);
        }
        return total(seconds, nanos);
    }

    /** Adds up within the range of times, however far the two words point outside it. */
    private long total(long unsignedSeconds, long nanos) {
        long sum = unsignedSeconds + offsetSeconds;
        boolean beyond = sum < 0 && (unsignedSeconds < 0 || offsetSeconds >= 0);
        beyond |= unsignedSeconds < 0 && offsetSeconds >= 0;
        long farthest = CaptureFile.FARTHEST_SECONDS;
        long seconds = beyond ? farthest : Math.max(-farthest, Math.min(farthest, sum));
        return seconds * NANOS + nanos;
    }

    private static long powerOfTen(int power) {
        long value = 1;
        for (int i = 0; i < power; i++) {
            value *= 10;
        }
        return value;
    }

    private static int word(long address, boolean swapped) {
        int word = Memory.getInt(address);
        return swapped ? Integer.reverseBytes(word) : word;
    }

    private static int half(long address, boolean swapped) {
        short half = Memory.getShort(address);
        return (swapped ? Short.reverseBytes(half) : half) & 0xFFFF;
    }
}
