package io.weir.cluster.kafka.catalog;

import io.weir.cluster.catalog.Version;
import io.weir.cluster.graph.GraphWriter;
import io.weir.cluster.wire.CatalogRecord;
import io.weir.operators.graph.Query;
import io.weir.operators.time.Clock;

/** Makes the records of one author's edits. */
record CatalogRecords(Clock clock, String author) {
    byte[] of(SlicedReplay replay) {
        return of(CatalogRecord.newBuilder().setSlices(replay.record()));
    }

    byte[] of(Retirement worker) {
        return of(CatalogRecord.newBuilder().setRetired(worker.record()));
    }

    byte[] of(Query query, long place) {
        return of(counting(query, place));
    }

    /**
     * @param version that has counted last
     */
    byte[] ofPaused(Query query, long place, long version) {
        return of(counting(query, place).setPaused(version));
    }

    private static CatalogRecord.Builder counting(Query query, long place) {
        return CatalogRecord.newBuilder()
                .setSql(query.sql())
                .setGraph(GraphWriter.of(query, Version.TEXT))
                .setPlace(place);
    }

    byte[] of(CatalogRecord.Builder edit) {
        return edit.setFormat(Planning.FORMAT)
                .setCreatedMs(clock.millis())
                .setAuthor(author)
                .build()
                .toByteArray();
    }
}
