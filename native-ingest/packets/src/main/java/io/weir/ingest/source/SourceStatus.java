package io.weir.ingest.source;

import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A live source as it is at one moment.
 *
 * @param sinceMs since when it is in this state, in milliseconds since the epoch
 * @param nowMs the moment
 * @param packetsPerSecond over the last second
 * @param bytesPerSecond of frames on the wire or of GPVs, over the last second
 * @param pages of its account
 * @param newestNs the time of its newest packet; MIN_VALUE if there was none
 * @param ringFill the fullest of its rings: from 0 to 1
 * @param error why it failed last
 * @param retries how often it was opened again
 */
public record SourceStatus(
        String name,
        SourceSpec spec,
        SourceState state,
        long sinceMs,
        long nowMs,
        double packetsPerSecond,
        double bytesPerSecond,
        List<Stage.Snapshot> pages,
        long newestNs,
        double ringFill,
        Optional<String> error,
        int retries) {
    public SourceStatus {
        pages = List.copyOf(pages);
    }

    /** Returns the wall clock less the time of its newest packet, if there was one. */
    public OptionalLong lagMs() {
        return newestNs == Long.MIN_VALUE
                ? OptionalLong.empty()
                : OptionalLong.of(nowMs - newestNs / 1_000_000);
    }

    /** Returns the packets that it was offered. */
    public long packets() {
        return packets(pages);
    }

    /** The first stage that counts packets is the one that meets them first. */
    static long packets(List<Stage.Snapshot> pages) {
        Optional<String> first =
                pages.stream()
                        .map(Stage.Snapshot::stage)
                        .filter(SourceStatus::countsPackets)
                        .findFirst();
        return pages.stream()
                .filter(page -> first.filter(page.stage()::equals).isPresent())
                .mapToLong(Stage.Snapshot::offered)
                .sum();
    }

    private static boolean countsPackets(String stage) {
        return !stage.endsWith("blocks") && !stage.endsWith("datagrams") && !stage.equals("files");
    }

    /** Returns the lost packets by reason, of all its stages. */
    public Map<String, Long> lost() {
        return reasons(Stage.Snapshot::lost);
    }

    /** Returns the excluded packets by reason, of all its stages. */
    public Map<String, Long> excluded() {
        return reasons(Stage.Snapshot::excluded);
    }

    private Map<String, Long> reasons(Function<Stage.Snapshot, Map<String, Long>> which) {
        Map<String, Long> sums = new TreeMap<>();
        for (Stage.Snapshot page : pages) {
            if (countsPackets(page.stage())) {
                which.apply(page).forEach((why, n) -> sums.merge(why, n, Long::sum));
            }
        }
        sums.values().removeIf(count -> count == 0);
        return sums;
    }

    /** Returns why a source failed, with the remedy. */
    public static String text(Throwable why) {
        return why instanceof WeirException known
                ? known.getMessage() + known.hint().map(hint -> " (" + hint + ")").orElse("")
                : why.toString();
    }
}
