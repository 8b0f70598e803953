package io.weir.cluster.sink;

import java.io.IOException;
import java.util.Locale;

/**
 * The reader of our output went away, or the disk is full. A pipe that was closed ({@code | head})
 * is no error: whoever runs the query ends quietly.
 */
public final class OutputClosed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutputClosed(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /** Whether the other end of a pipe was closed, as opposed to a failure to write. */
    public boolean isBrokenPipe() {
        String message = String.valueOf(getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("broken pipe")
                || message.contains("pipe closed")
                || message.contains("stream closed");
    }
}
