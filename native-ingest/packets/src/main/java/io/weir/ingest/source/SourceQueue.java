package io.weir.ingest.source;

import java.util.List;

/** One receive queue of a live source. */
record SourceQueue(SourceSpec spec, int number) {
    Source open(SourceContext context) {
        return Sources.factory(spec.scheme()).open(List.of(spec), number, context);
    }
}
