package io.weir.operators.sketch;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** Checks the bytes of a sketch that another process has sent. Stateless. */
final class ReceivedSketch {
    private ReceivedSketch() {}

    static WeirException malformed(Throwable cause) {
        String why = cause == null ? "" : ": " + cause.getMessage();
        return new WeirException(ErrorCode.MALFORMED_BYTES, "bytes that are no sketch" + why);
    }

    /** Returns one byte of a sketch as a number. It is an error if there are fewer bytes. */
    static int at(byte[] bytes, int index) {
        if (index >= bytes.length) {
            throw malformed(null);
        }
        return bytes[index] & 0xFF;
    }
}
