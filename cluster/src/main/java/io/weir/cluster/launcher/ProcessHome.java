package io.weir.cluster.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command's processes keep their files; as a mixin. */
final class ProcessHome {
    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = {
                "Where processes keep their files and what they say"
                        + " (default: a new directory, which goes when all went well)."
            })
    private Path directory;

    /** What is done there. */
    interface Task {
        void in(Path home) throws Exception;
    }

    /**
     * Does it until it is done or the command is interrupted.
     *
     * @param prefix of a new directory's name
     * @return the command's exit code
     */
    int run(String prefix, Task task) throws Exception {
        Path home =
                directory == null
                        ? Files.createTempDirectory(prefix)
                        : Files.createDirectories(directory);
        Thread main = Thread.currentThread();
        Interrupts interrupts = Interrupts.on(main::interrupt);
        try {
            task.in(home.toAbsolutePath());
            if (directory == null) {
                Trees.delete(home);
            }
            return Weir.OK;
        } catch (InterruptedException e) {
            return Weir.FAILED;
        } finally {
            interrupts.ended();
        }
    }
}
