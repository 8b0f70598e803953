package io.weir.cluster.launcher;

import io.weir.cluster.demo.Processes;

/** A process that was started by a demo ends when the demo does, however it ends. */
final class Parent {
    private Parent() {}

    static void watch() {
        String parent = System.getenv(Processes.PARENT_VARIABLE);
        if (parent != null) {
            ProcessHandle.of(Long.parseLong(parent))
                    .ifPresentOrElse(
                            handle -> handle.onExit().thenRun(() -> System.exit(Weir.FAILED)),
                            () -> System.exit(Weir.FAILED));
        }
    }
}
