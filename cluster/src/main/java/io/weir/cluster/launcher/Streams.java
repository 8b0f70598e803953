package io.weir.cluster.launcher;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * What the process is connected to: results go to {@code out} and nothing else does; {@code err}
 * has the rest.
 */
public record Streams(InputStream in, OutputStream out, PrintStream err) {}
