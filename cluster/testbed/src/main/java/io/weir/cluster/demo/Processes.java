package io.weir.cluster.demo;

import io.weir.cluster.launcher.Parent;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs Weir commands as processes, with this JVM's options and class path. Each writes to a file.
 * Closing stops them, the last one first, and waits. If this process dies, they notice and end.
 */
public final class Processes implements AutoCloseable {
    /** An option for processes that have little to do: the optimising compiler would cost more. */
    public static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final String MAIN = "io.weir.cluster.launcher.Weir";
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private static final long LONGEST_STOP_S = 30;

    private final Path logs;

    private final Deque<Started> started = new ArrayDeque<>();

    /**
     * @param logs directory for their output
     */
    public Processes(Path logs) {
        this.logs = logs;
    }

    /** A process that runs, or ran. */
    public record Started(String name, Process process, Path log) {
        private static final long POLL_MS = 20;
        private static final long PATIENCE_MS = 120_000;

        /** Returns its name without its number. */
        String kind() {
            return name.contains("-") ? name.substring(0, name.lastIndexOf('-')) : name;
        }

        /** Waits for the first line of its output that contains the text, and returns it. */
        public String await(String text) throws InterruptedException {
            Deadline deadline = Deadline.afterMs(PATIENCE_MS);
            while (true) {
                boolean ended = !process.isAlive();
                List<String> lines = lines();
                for (String line : lines) {
                    if (line.contains(text)) {
                        return line;
                    }
                }
                if (ended || deadline.isOver()) {
                    throw new WeirException(
                            ErrorCode.INTERNAL,
                            name + (ended ? " has ended" : " is not ready"),
                            "what it said: " + String.join(" ", lines));
                }
                Thread.sleep(POLL_MS);
            }
        }

        /** Returns its output. */
        public List<String> lines() {
            try {
                return Files.readAllLines(log);
            } catch (IOException e) {
                return List.of(); // not there yet
            }
        }
    }

    /**
     * Starts {@code weir COMMAND ARGUMENTS…}.
     *
     * @param jvm options for its JVM; they replace this one's equal options
     */
    public Started start(String name, List<String> jvm, String... arguments) {
        return start(name, Surroundings.NONE, jvm, arguments);
    }

    /**
     * The surroundings of a process.
     *
     * @param prefix a command that runs the one behind it, as {@code ip netns exec NAME}
     * @param environment added to this process' own
     */
    public record Surroundings(List<String> prefix, Map<String, String> environment) {
        public static final Surroundings NONE = new Surroundings(List.of(), Map.of());

        public Surroundings {
            prefix = List.copyOf(prefix);
            environment = Map.copyOf(environment);
        }
    }

    /** Starts it in other surroundings than this process. */
    public Started start(
            String name, Surroundings surroundings, List<String> jvm, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-Xmx"))
                .forEach(command::add);
        command.addAll(jvm);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(MAIN);
        command.addAll(List.of(arguments));
        return start(name, surroundings, command);
    }

    /**
     * Starts a command of another release with that release's launcher.
     *
     * @param jvm options for its JVM, besides those of its launcher
     */
    public Started startBy(
            Path launcher,
            String name,
            Surroundings surroundings,
            List<String> jvm,
            String... arguments) {
        Map<String, String> environment = new HashMap<>(surroundings.environment());
        environment.put("WEIR_JAVA_OPTS", String.join(" ", jvm));
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return start(name, new Surroundings(surroundings.prefix(), environment), command);
    }

    private Started start(String name, Surroundings surroundings, List<String> program) {
        List<String> command = new ArrayList<>(surroundings.prefix());
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString()); // so that Ctrl-C reaches only this process, which stops
            // them in order
        }
        command.addAll(program);
        Path log = logs.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(log.toFile());
        builder.environment().putAll(surroundings.environment());
        builder.environment().put(Parent.VARIABLE, Long.toString(ProcessHandle.current().pid()));
        try {
            Started process = new Started(name, builder.start(), log);
            started.push(process);
            return process;
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.INTERNAL, name + " cannot be started: " + e.getMessage());
        }
    }

    /**
     * Stops the last started first. Processes of a kind (broker-1, broker-2) stop together, since a
     * broker waits long for a lost majority. A process that does not end soon is killed. An earlier
     * interrupt is no reason to kill: it may be why this is called.
     */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            while (!started.isEmpty()) {
                stopTogether(popAlike());
            }
        } catch (InterruptedException e) {
            started.forEach(left -> left.process().destroyForcibly());
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Started> popAlike() {
        List<Started> alike = new ArrayList<>(List.of(started.pop()));
        while (!started.isEmpty() && started.peek().kind().equals(alike.get(0).kind())) {
            alike.add(started.pop());
        }
        return alike;
    }

    private static void stopTogether(List<Started> processes) throws InterruptedException {
        processes.forEach(one -> one.process().destroy());
        long deadlineNs = Clock.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(LONGEST_STOP_S);
        try {
            for (Started one : processes) {
                one.process().waitFor(deadlineNs - Clock.SYSTEM.nanos(), TimeUnit.NANOSECONDS);
            }
        } finally {
            processes.forEach(one -> one.process().destroyForcibly());
        }
        for (Started one : processes) {
            one.process().waitFor();
        }
    }
}
