package io.weir.cluster.sink;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Buffered UTF-8 text. Numbers are written digit by digit, so a million rows make no garbage. Not
 * thread-safe. A failing stream throws {@link OutputClosed}.
 */
public final class TextOut {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int NUMBER_BYTES = 20;

    private final OutputStream stream;
    private final byte[] buffer;
    private final byte[] digits = new byte[NUMBER_BYTES];
    private int length;

    public TextOut(OutputStream stream) {
        this(stream, BUFFER_BYTES);
    }

    TextOut(OutputStream stream, int bufferBytes) {
        this.stream = stream;
        this.buffer = new byte[bufferBytes];
    }

    /** One ASCII character. */
    public void put(char character) {
        if (length == buffer.length) {
            drain();
        }
        buffer[length++] = (byte) character;
    }

    public void put(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 128) {
                put(text.substring(i).getBytes(StandardCharsets.UTF_8));
                return;
            }
            put(text.charAt(i));
        }
    }

    void put(byte[] bytes) {
        put(bytes, 0, bytes.length);
    }

    void put(byte[] bytes, int from, int count) {
        for (int i = from; i < from + count; i++) {
            put((char) (bytes[i] & 0xFF));
        }
    }

    public void repeat(char character, int times) {
        for (int i = 0; i < times; i++) {
            put(character);
        }
    }

    /** A decimal number. */
    public void number(long value) {
        if (value < 0) {
            put('-');
        }
        int at = NUMBER_BYTES;
        long rest = value;
        do { // digits of the negative value, so that Long.MIN_VALUE needs no case of its own
            long digit = rest % 10;
            digits[--at] = (byte) ('0' + Math.abs(digit));
            rest /= 10;
        } while (rest != 0);
        put(digits, at, NUMBER_BYTES - at);
    }

    /** Exactly {@code width} decimal digits of a value that is not negative. */
    void padded(long value, int width) {
        long rest = value;
        for (int i = width - 1; i >= 0; i--) {
            digits[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        put(digits, 0, width);
    }

    /** Passes all text on. */
    public void flush() {
        drain();
        try {
            stream.flush();
        } catch (IOException e) {
            throw new OutputClosed(e);
        }
    }

    private void drain() {
        int count = length;
        length = 0; // text that could not be written is not tried again
        try {
            stream.write(buffer, 0, count);
        } catch (IOException e) {
            throw new OutputClosed(e);
        }
    }
}
