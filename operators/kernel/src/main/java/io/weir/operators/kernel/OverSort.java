package io.weir.operators.kernel;

import io.weir.operators.graph.Operator.Order;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the columns of OVER that have one partition and one order, over the rows of a window.
 * One thread at a time.
 */
final class OverSort {
    private final RowLayout layout;
    private final AddressSort.Order partition;
    private final AddressSort.Order order;
    private final List<OverColumn> columns = new ArrayList<>();

    /**
     * @param time the column that tells the window of a row; empty if all rows are of one
     */
    OverSort(RowLayout layout, String time, List<String> partition, List<Order> orders) {
        this.layout = layout;
        List<String> all = new ArrayList<>(partition);
        if (!time.isEmpty()) {
            all.add(0, time);
        }
        this.partition = RowOrder.columns(layout, all);
        order = RowOrder.by(orders, layout);
    }

    void add(OverCall call) {
        columns.add(new OverColumn(call, layout));
    }

    /** Computes the columns of these rows. Rows without an order keep theirs. */
    void compute(Addresses rows) {
        Addresses sorted = rows.copy();
        sorted.sort(
                (left, right) -> {
                    int first = partition.compare(left, right);
                    return first != 0 ? first : order.compare(left, right);
                });
        for (int from = 0; from < sorted.count(); ) {
            int to = from + 1;
            while (to < sorted.count() && partition.compare(sorted.at(from), sorted.at(to)) == 0) {
                to++;
            }
            partition(sorted, from, to);
            from = to;
        }
    }

    private void partition(Addresses sorted, int from, int to) {
        OverPartition values = new OverPartition(layout, sorted);
        columns.forEach(column -> column.begin(from));
        for (int peers = from; peers < to; ) {
            int behind = peers + 1;
            while (behind < to && order.compare(sorted.at(peers), sorted.at(behind)) == 0) {
                behind++;
            }
            for (int at = peers; at < behind; at++) {
                for (OverColumn column : columns) {
                    column.write(values, from, to, at, peers, behind, sorted.at(at));
                }
            }
            peers = behind;
        }
    }
}
