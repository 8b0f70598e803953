package io.weir.bench.kernel;

import io.weir.bench.generate.GpvTrace;
import io.weir.bench.kernel.Work.State;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

/**
 * Weir's side of a measurement, a process of its own. Commands come on stdin, one a line, each
 * answered by a line, as in the native program. The command {@code weir} is a pass, answered by its
 * nanoseconds of CPU time; {@code check weir} is answered by rows and hash.
 */
public final class KernelWorker {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private KernelWorker() {}

    /** Runs; the arguments are trace, work, layout, state. */
    public static void main(String[] args) throws IOException {
        Work work = Works.named(Set.of(args[1])).get(0);
        GpvTrace trace = GpvTrace.open(Path.of(args[0]));
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (KernelRun run = new KernelRun(work.query(), args[2], State.valueOf(args[3]), trace)) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                System.out.println(line.equals("weir") ? timed(run) : run.check());
                System.out.flush();
            }
        }
    }

    private static long timed(KernelRun run) {
        run.prepare();
        long startNs = THREADS.getCurrentThreadCpuTime();
        run.pass();
        return THREADS.getCurrentThreadCpuTime() - startNs;
    }
}
