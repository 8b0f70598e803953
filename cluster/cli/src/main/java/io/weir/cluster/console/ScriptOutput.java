package io.weir.cluster.console;

import io.weir.cluster.sink.OutputClosed;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a script's rows. sqlline prints through a {@link java.io.PrintStream}, which hides
 * failures. Here a failure is thrown as {@link OutputClosed}, which ends the statement, and kept
 * for {@link #check}. One thread.
 */
final class ScriptOutput extends FilterOutputStream {
    private OutputClosed failure;

    ScriptOutput(OutputStream out) {
        super(out);
    }

    /** Throws OutputClosed if something could not be written. */
    void check() {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        check();
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            failure = new OutputClosed(e);
            throw failure;
        }
    }

    @Override
    public void flush() {
        check();
        try {
            out.flush();
        } catch (IOException e) {
            failure = new OutputClosed(e);
            throw failure;
        }
    }
}
