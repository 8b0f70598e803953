package io.weir.cluster.sink;

import java.io.IOException;
import java.util.Locale;

/**
 * The reader of our output has gone, or the disk is full. A pipe that was closed ({@code | head})
 * is no error: the command ends quietly.
 */
public final class OutputClosed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutputClosed(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /** Returns whether the other end of a pipe was closed, rather than that a write failed. */
    public boolean isBrokenPipe() {
        String message = String.valueOf(getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("broken pipe")
                || message.contains("pipe closed")
                || message.contains("stream closed");
    }
}
