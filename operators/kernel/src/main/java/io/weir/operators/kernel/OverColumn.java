package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.OverFrame;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.memory.Memory;
import io.weir.operators.rows.RowLayout;

/** Computes one column of OVER, row by row. One thread at a time. */
final class OverColumn {
    private final OverCall call;
    private final RowLayout layout;
    private final int target;
    private final int argument;
    private final int otherwise;
    private final OverAggregate aggregate;
    private long rank;
    private long dense;

    /** The first row that the aggregate has not counted, of a frame that begins at the first. */
    private long next;

    OverColumn(OverCall call, RowLayout layout) {
        this.call = call;
        this.layout = layout;
        target = layout.indexOf(call.name());
        argument = column(0);
        otherwise = column(2);
        Kind kind = argument < 0 ? Kind.BIGINT : layout.kind(argument);
        aggregate = new OverAggregate(call.function(), argument, kind);
    }

    private int column(int number) {
        return call.arguments().size() > number
                        && call.arguments().get(number) instanceof Expr.Variable variable
                ? layout.indexOf(variable.name())
                : OverAggregate.NONE;
    }

    OverCall call() {
        return call;
    }

    /** Begins a partition, whose first row has this number. */
    void begin(long first) {
        aggregate.clear();
        rank = 0;
        dense = 0;
        next = first;
    }

    /**
     * Writes the value of a row.
     *
     * @param from the number of the partition's first row
     * @param to the number behind its last row
     * @param at the number of the row
     * @param peersFrom the number of the first row that equals it in its order
     * @param peersTo the number behind the last one
     * @param row its address
     */
    void write(
            OverValues values,
            long from,
            long to,
            long at,
            long peersFrom,
            long peersTo,
            long row) {
        OverFunction function = call.function();
        if (function.isRank()) {
            if (at == peersFrom) {
                rank = at - from + 1;
                dense++;
            }
            put(row, function == OverFunction.ROW_NUMBER ? at - from + 1 : place());
        } else if (function == OverFunction.NEW_SINCE) {
            put(row, values.knownFromNs());
        } else if (function.isShift()) {
            long away = function == OverFunction.LAG ? -call.offset() : call.offset();
            shift(values, from, to, at + away, row);
        } else {
            OverFrame frame = call.frame();
            long first = frame.fromRows() == OverFrame.FIRST ? from : at + frame.fromRows();
            long last = frame.toRows() == OverFrame.LAST ? to - 1 : at + frame.toRows();
            last = frame.peers() ? peersTo - 1 : last;
            inFrame(values, Math.max(from, first), Math.min(to - 1, last), row);
        }
    }

    private long place() {
        return call.function() == OverFunction.RANK ? rank : dense;
    }

    private void shift(OverValues values, long from, long to, long other, long row) {
        if (other >= from && other < to) {
            copy(values, argument, other, row);
        } else if (otherwise >= 0 && !RowOrder.isNull(row, otherwise)) {
            copy(row + layout.offset(otherwise), row);
        } else {
            setNull(row);
        }
    }

    private void inFrame(OverValues values, long first, long last, long row) {
        OverFunction function = call.function();
        if (function == OverFunction.FIRST_VALUE || function == OverFunction.LAST_VALUE) {
            if (first > last) {
                setNull(row);
            } else {
                copy(values, argument, function == OverFunction.FIRST_VALUE ? first : last, row);
            }
            return;
        }
        if (call.frame().fromRows() == OverFrame.FIRST) {
            for (; next <= last; next++) {
                aggregate.add(values, next);
            }
        } else {
            aggregate.clear();
            for (long at = first; at <= last; at++) {
                aggregate.add(values, at);
            }
        }
        if (aggregate.isNull()) {
            setNull(row);
        } else {
            put(row, aggregate.word());
        }
    }

    private void copy(OverValues values, int column, long from, long row) {
        if (values.isNull(column, from)) {
            setNull(row);
        } else {
            copy(values.address(column, from), row);
        }
    }

    private void copy(long value, long row) {
        setKnown(row);
        int bytes = RowLayout.words(layout.kind(target)) * Long.BYTES;
        Memory.copy(value, row + layout.offset(target), bytes);
    }

    private void put(long row, long word) {
        setKnown(row);
        Memory.putLong(row + layout.offset(target), word);
    }

    private void setKnown(long row) {
        long bits = row + (target >> 6) * (long) Long.BYTES;
        Memory.putLong(bits, Memory.getLong(bits) & ~(1L << target));
    }

    private void setNull(long row) {
        long bits = row + (target >> 6) * (long) Long.BYTES;
        Memory.putLong(bits, Memory.getLong(bits) | 1L << target);
    }
}
