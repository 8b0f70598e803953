package io.weir.cluster.launcher;

/** Ends a process that was started by a demo when the demo ends, in any way. */
public final class Parent {
    /** Names the process whose end is this one's too. */
    public static final String VARIABLE = "WEIR_PARENT";

    private Parent() {}

    private static void watch(ProcessHandle parent) {
        var unused = parent.onExit().thenRun(() -> System.exit(ExitCode.FAILED));
    }

    static void watch() {
        String parent = System.getenv(VARIABLE);
        if (parent != null) {
            ProcessHandle.of(Long.parseLong(parent))
                    .ifPresentOrElse(Parent::watch, () -> System.exit(ExitCode.FAILED));
        }
    }
}
