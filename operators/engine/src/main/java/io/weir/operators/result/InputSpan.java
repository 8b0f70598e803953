package io.weir.operators.result;

/** Tells which times a node's sources have seen only in part. Any thread. */
@FunctionalInterface
public interface InputSpan {
    /** The span of sources without a known begin or end. */
    InputSpan ALWAYS = (startNs, endNs) -> false;

    /** Returns whether a source began, ended, or was away within this time. */
    boolean lacks(long startNs, long endNs);
}
