package io.weir.cluster.testbed;

import io.weir.cluster.demo.Stopping;
import io.weir.cluster.launcher.ExitCode;
import io.weir.cluster.launcher.Interrupts;
import io.weir.cluster.launcher.Trees;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The folder for the files of a command's processes; as a mixin. */
final class ProcessHome {
    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = {
                "Where processes keep their files and what they say, empty so far"
                        + " (default: a new directory, which goes unless something went wrong)."
            })
    private Path directory;

    /** The work in the folder. */
    interface Task {
        /**
         * Works. It checks from time to time whether it must stop, and then throws
         * InterruptedException.
         */
        void in(Path home, Stopping stopping) throws Exception;
    }

    /**
     * Works until the task is done or the command is interrupted.
     *
     * @param prefix of a new directory's name
     * @return the command's exit code
     */
    int run(String prefix, Task task) throws Exception {
        Thread main = Thread.currentThread();
        Stopping stopping = new Stopping();
        Interrupts interrupts = Interrupts.on(() -> stopping.ask(main));
        try {
            return run(prefix, task, stopping);
        } finally {
            interrupts.ended();
        }
    }

    int run(String prefix, Task task, Stopping stopping) throws Exception {
        Path home = directory == null ? Files.createTempDirectory(prefix) : own();
        boolean done = finished(task, home.toAbsolutePath(), stopping);
        if (directory == null) {
            Trees.delete(home);
        }
        return done ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Files of an earlier cluster, queries among them, would become part of this one. */
    private Path own() throws IOException {
        try (Stream<Path> there = Files.list(Trees.make(directory))) {
            if (there.findAny().isPresent()) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "--directory " + directory + " is not empty",
                        "give one that is, or that is not there yet");
            }
        }
        return directory;
    }

    /** Returns whether it finished. An error while it is stopped does not matter. */
    private static boolean finished(Task task, Path home, Stopping stopping) throws Exception {
        try {
            task.in(home, stopping);
            return true;
        } catch (InterruptedException e) {
            return false;
        } catch (Exception e) {
            if (stopping.isAsked()) {
                return false;
            }
            throw e;
        }
    }
}
