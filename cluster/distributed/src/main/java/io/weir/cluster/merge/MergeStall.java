package io.weir.cluster.merge;

/**
 * A part of the merge that has stood still for some seconds.
 *
 * @param part a shard, the second step, or all of an instance
 * @param waitsFor the sources that it waits for, for people
 */
public record MergeStall(String part, long seconds, String waitsFor) {
    /** Returns the text for the log, SHOW EVENTS and the doctor. */
    public String text() {
        return part + " has stood still for " + seconds + " s: it waits for " + waitsFor;
    }
}
