package io.weir.operators.graph;

import java.util.Optional;

/** Addresses as text: RFC 5952 out, RFC 4291 section 2.2 in. */
public final class InetText {
    private static final int GROUPS = 8;

    private InetText() {}

    public static String format(int family, long high, long low) {
        return family == 4 ? formatV4((int) low) : formatV6(high, low);
    }

    private static String formatV4(int address) {
        return (address >>> 24)
                + "."
                + (address >>> 16 & 0xFF)
                + "."
                + (address >>> 8 & 0xFF)
                + "."
                + (address & 0xFF);
    }

    private static String formatV6(long high, long low) {
        if (high == 0 && low >>> 32 == 0xFFFF) {
            return "::ffff:" + formatV4((int) low); // RFC 5952 section 5
        }
        int start = -1;
        int longest = 1; // a single zero group is never shortened, RFC 5952 section 4.2.2
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && group(high, low, end) == 0) {
                end++;
            }
            if (end - i > longest) {
                longest = end - i;
                start = i;
            }
            i = Math.max(i, end);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == start) {
                text.append("::");
                i += longest - 1;
                continue;
            }
            if (i > 0 && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(high, low, i)));
        }
        return text.toString();
    }

    private static int group(long high, long low, int index) {
        long word = index < 4 ? high : low;
        return (int) (word >>> 48 - 16 * (index & 3)) & 0xFFFF;
    }

    /** The address that the text names, or empty when it names none. */
    public static Optional<Inet> parse(String text) {
        return text.indexOf(':') >= 0 ? parseV6(text) : parseV4(text);
    }

    private static Optional<Inet> parseV4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        int address = 0;
        for (String part : parts) {
            int octet = number(part, 10, 3, 255);
            if (octet < 0 || part.length() > 1 && part.charAt(0) == '0') {
                return Optional.empty();
            }
            address = address << 8 | octet;
        }
        return Optional.of(Inet.v4(address));
    }

    private static Optional<Inet> parseV6(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return Optional.empty();
        }
        int[] groups = new int[GROUPS];
        if (gap < 0) {
            return fill(groups, text, true) == GROUPS ? Optional.of(of(groups)) : Optional.empty();
        }
        int front = fill(groups, text.substring(0, gap), false);
        int[] back = new int[GROUPS];
        int backCount = fill(back, text.substring(gap + 2), true);
        if (front < 0 || backCount < 0 || front + backCount >= GROUPS) {
            return Optional.empty();
        }
        System.arraycopy(back, 0, groups, GROUPS - backCount, backCount);
        return Optional.of(of(groups));
    }

    /**
     * Reads colon-separated groups, perhaps with a quad at the address's end. Returns their number,
     * or -1.
     */
    private static int fill(int[] groups, String text, boolean atEnd) {
        if (text.isEmpty()) {
            return 0;
        }
        int count = 0;
        String[] parts = text.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            if (atEnd && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
                Optional<Inet> quad = parseV4(parts[i]);
                if (quad.isEmpty() || count + 2 > GROUPS) {
                    return -1;
                }
                groups[count++] = (int) (quad.get().low() >>> 16);
                groups[count++] = (int) (quad.get().low() & 0xFFFF);
            } else {
                int group = number(parts[i], 16, 4, 0xFFFF);
                if (group < 0 || count == GROUPS) {
                    return -1;
                }
                groups[count++] = group;
            }
        }
        return count;
    }

    private static Inet of(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 4; i++) {
            high = high << 16 | groups[i];
            low = low << 16 | groups[i + 4];
        }
        return Inet.v6(high, low);
    }

    /** Returns an unsigned number of at most {@code digits} digits, or -1. */
    private static int number(String text, int radix, int digits, int max) {
        if (text.isEmpty() || text.length() > digits) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value <= max ? value : -1;
    }
}
