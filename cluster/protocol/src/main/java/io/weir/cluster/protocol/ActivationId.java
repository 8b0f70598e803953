package io.weir.cluster.protocol;

import io.weir.operators.result.Receivers;

/**
 * Identifies one activation of one version of a query. Windows of several workers have it in
 * common.
 *
 * @param fromNs when it was woken; {@link Long#MIN_VALUE} without WHEN
 */
public record ActivationId(String query, long version, long fromNs, Receivers output) {}
