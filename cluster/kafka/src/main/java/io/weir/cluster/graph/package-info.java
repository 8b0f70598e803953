/** Planned queries as messages, for all processes of a cluster. */
package io.weir.cluster.graph;
