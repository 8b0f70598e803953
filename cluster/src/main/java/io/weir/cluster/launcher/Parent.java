package io.weir.cluster.launcher;

import io.weir.cluster.demo.Processes;

/** Ends a process that was started by a demo when the demo ends, in any way. */
final class Parent {
    private Parent() {}

    private static void watch(ProcessHandle parent) {
        var unused = parent.onExit().thenRun(() -> System.exit(Weir.FAILED));
    }

    static void watch() {
        String parent = System.getenv(Processes.PARENT_VARIABLE);
        if (parent != null) {
            ProcessHandle.of(Long.parseLong(parent))
                    .ifPresentOrElse(Parent::watch, () -> System.exit(Weir.FAILED));
        }
    }
}
