package io.weir.cluster.http;

/**
 * Answers requests. The thread of each connection calls it. An exception is answered by 500 and
 * nothing else.
 */
@FunctionalInterface
public interface HttpHandler {
    /** Looks at a request before its body is read. */
    HttpStep begin(HttpHead head);
}
