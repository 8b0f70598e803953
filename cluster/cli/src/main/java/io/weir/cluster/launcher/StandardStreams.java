package io.weir.cluster.launcher;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/** The connections of the process: only results go to {@code out}, all else to {@code err}. */
public record StandardStreams(InputStream in, OutputStream out, PrintStream err) {}
