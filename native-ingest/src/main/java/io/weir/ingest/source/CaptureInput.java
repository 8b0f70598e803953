package io.weir.ingest.source;

import java.nio.file.Path;

/**
 * A capture file and the node that it was taken at.
 *
 * @param nodeId what {@code node_id} says in its packets
 */
public record CaptureInput(Path path, String nodeId) {}
