package io.weir.operators.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Binds the calling thread to a CPU. Java has no call for that. So it runs the system's {@code
 * taskset} (util-linux) with the thread's id, which Linux shows under /proc. Cold.
 */
final class Cpu {
    /** The longest run of taskset. It asks the kernel once; if it takes longer, it is stuck. */
    private static final long LONGEST_S = 10;

    private Cpu() {}

    /** A thread's binding. Only that thread undoes it. */
    @FunctionalInterface
    interface Binding extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Binds the calling thread, and checks that it is bound.
     *
     * @throws WeirException INVALID_OPTION if the system refuses, or is not Linux
     */
    static Binding bind(int cpu) {
        try {
            Path self =
                    Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")));
            String thread = self.getFileName().toString();
            String before = allowed(self);
            check(cpu, before);
            String said = taskset(thread, String.valueOf(cpu));
            if (!allowed(self).equals(String.valueOf(cpu))) {
                throw refused(cpu, said);
            }
            return () -> release(thread, before);
        } catch (IOException e) {
            throw refused(cpu, e.getMessage());
        }
    }

    /**
     * Fails early if the calling thread may not run on one of these CPUs.
     *
     * @throws WeirException INVALID_OPTION
     */
    static void check(List<Integer> cpus) {
        for (int cpu : cpus) {
            try {
                check(cpu, allowed(Path.of("/proc/thread-self")));
            } catch (IOException e) {
                throw refused(cpu, e.getMessage());
            }
        }
    }

    private static void check(int cpu, String allowed) {
        for (String range : allowed.split(",")) {
            String[] ends = range.split("-");
            if (Integer.parseInt(ends[0]) <= cpu
                    && cpu <= Integer.parseInt(ends[ends.length - 1])) {
                return;
            }
        }
        throw new WeirException(
                ErrorCode.INVALID_OPTION,
                "a thread cannot be bound to CPU " + cpu,
                "this process may use CPUs " + allowed);
    }

    /** Returns the output of taskset on one line. */
    private static String taskset(String thread, String cpus) throws IOException {
        Process taskset =
                new ProcessBuilder("taskset", "-p", "-c", cpus, thread)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!taskset.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
                taskset.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return said.strip().replace('\n', ';');
    }

    private static void release(String thread, String cpus) {
        try {
            taskset(thread, cpus);
        } catch (IOException gone) {
            throw new IllegalStateException("taskset was there a moment ago", gone);
        }
    }

    private static String allowed(Path thread) throws IOException {
        for (String line : Files.readAllLines(thread.resolve("status"))) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        throw new IOException("the system shows no CPUs");
    }

    private static WeirException refused(int cpu, String why) {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                "a thread cannot be bound to CPU " + cpu + ": " + why,
                "binding needs Linux and its taskset (util-linux)");
    }
}
