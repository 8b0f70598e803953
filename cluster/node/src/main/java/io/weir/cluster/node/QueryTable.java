package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import io.weir.sql.Listing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Adds to SHOW QUERIES what only a node knows: which are paused, and counts of bindings. */
final class QueryTable {
    /** The columns before which those of the node come. */
    private static final int AFTER = 2;

    private static final List<String> OWN = List.of("state", "bindings", "refused");
    private static final Set<String> NUMBERS = Set.of("bindings", "refused");
    private static final String PAGE = "bindings:";

    private QueryTable() {}

    static Answer.Texts of(
            Listing listing, Set<String> paused, Supplier<List<Stage.Snapshot>> account) {
        return new Answer.Texts(
                with(listing.columns(), OWN), NUMBERS, () -> rows(listing, paused, account.get()));
    }

    private static List<List<String>> rows(
            Listing listing, Set<String> paused, List<Stage.Snapshot> account) {
        Map<String, Stage.Snapshot> pages = new HashMap<>();
        for (Stage.Snapshot page : account) {
            if (page.stage().startsWith(PAGE)) {
                pages.merge(page.stage().substring(PAGE.length()), page, Stage.Snapshot::plus);
            }
        }
        List<List<String>> rows = new ArrayList<>();
        for (List<String> row : listing.rows()) {
            String state = paused.contains(row.get(0)) ? "paused" : "";
            Stage.Snapshot page = pages.get(row.get(0));
            String bound = page == null ? "0" : Long.toString(page.processed());
            String refused =
                    page == null ? "0" : page.lost().getOrDefault("set_full", 0L).toString();
            rows.add(with(row, List.of(state, bound, refused)));
        }
        return rows;
    }

    private static List<String> with(List<String> row, List<String> own) {
        List<String> all = new ArrayList<>(row);
        all.addAll(AFTER, own);
        return all;
    }
}
