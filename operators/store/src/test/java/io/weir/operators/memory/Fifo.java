package io.weir.operators.memory;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Named pipes for tests, which a thread of their own writes to. */
public final class Fifo {
    private Fifo() {}

    /** Writes to the pipe; where nobody reads any more is its end. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    /** A new pipe of this name; the test is skipped where there is no mkfifo. */
    public static Path in(Path folder, String name) {
        Path path = folder.resolve(name);
        try {
            Files.deleteIfExists(path);
            int code = new ProcessBuilder("mkfifo", path.toString()).start().waitFor();
            assumeTrue(code == 0, "mkfifo failed: skipped");
        } catch (IOException e) {
            assumeTrue(false, "no mkfifo: skipped");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return path;
    }

    /** Begins to write; the pipe is closed at the end. */
    public static Thread write(Path fifo, Writer writer) {
        Thread thread =
                new Thread(
                        () -> {
                            try (OutputStream out = Files.newOutputStream(fifo)) {
                                writer.write(out);
                            } catch (IOException | InterruptedException e) {
                                // who read has gone
                            }
                        },
                        "fifo-writer");
        thread.setDaemon(true); // where nobody opens the pipe it waits for ever
        thread.start();
        return thread;
    }

    /** Writes in random pieces, with random pauses. */
    public static Thread write(Path fifo, byte[] bytes, long seed) {
        return write(
                fifo,
                out -> {
                    Random random = new Random(seed);
                    int at = 0;
                    while (at < bytes.length) {
                        int most = 1 << random.nextInt(18);
                        int piece = Math.min(bytes.length - at, 1 + random.nextInt(most));
                        out.write(bytes, at, piece);
                        at += piece;
                        if (random.nextInt(20) == 0) {
                            Thread.sleep(random.nextInt(15));
                        }
                    }
                });
    }
}
