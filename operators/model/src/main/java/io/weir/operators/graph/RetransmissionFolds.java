package io.weir.operators.graph;

import static io.weir.operators.graph.Functions.call;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import java.util.List;

/**
 * Folds that infer the losses of one direction of a TCP connection from its retransmissions. A byte
 * is lost if it is sent again: lost bytes are all payload beyond the span of sequence numbers. So
 * the order of packets changes nothing, and states merge. Sequence numbers wrap at 2^32; two
 * packets, or two states, must be less than 2^31 apart. Bytes that no packet brought make the
 * result smaller, down to 0.
 */
public final class RetransmissionFolds {
    private static final Literal NONE = Literal.of(0L);
    private static final Literal NUMBERS = Literal.of(1L << 32);
    private static final Literal HALF = Literal.of(1L << 31);

    private static final Variable SEQ = argument("seq");
    private static final Variable LENGTH = argument("length");

    /** The sequence number after the last byte, and the bytes from the first one to there. */
    private static final StateWord END = word("end");

    private static final StateWord SPAN = word("span");
    private static final StateWord SENT = word("sent");
    private static final StateWord SEGMENTS = word("segments");

    private RetransmissionFolds() {}

    /** Bytes that were sent again; of a packet's sequence number and its payload, over 0. */
    public static Fold bytes() {
        return fold("LOST_BYTES", again());
    }

    /** Segments of the mean size that were sent again, rounded up. */
    public static Fold packets() {
        Expr scaled = call("*", again(), SEGMENTS.mine());
        Expr up = call("-", call("+", scaled, SENT.mine()), Literal.of(1L));
        Expr none = call("=", SENT.mine(), NONE);
        return fold("LOST_PACKETS", call("CASE", none, NONE, call("/", up, SENT.mine())));
    }

    private static Expr again() {
        Expr more = call("-", SENT.mine(), SPAN.mine());
        return call("CASE", call("<", more, NONE), NONE, more);
    }

    private static Fold fold(String name, Expr result) {
        List<Assignment> update =
                joined(wrapped(call("+", SEQ, LENGTH)), LENGTH, LENGTH, Literal.of(1L));
        List<Assignment> merge = joined(END.other(), SPAN.other(), SENT.other(), SEGMENTS.other());
        List<StateWord> state = List.of(END, SPAN, SENT, SEGMENTS);
        return new Fold(name, List.of(SEQ, LENGTH), state, update, merge, result, false);
    }

    /** Adds a part that ends there. A part without segments changes nothing. */
    private static List<Assignment> joined(Expr end, Expr span, Expr sent, Expr segments) {
        Expr ahead = distance(end, END.mine());
        Expr isAhead = call(">", ahead, NONE);
        Expr top = call("CASE", isAhead, ahead, NONE);
        Expr mineLow = call("-", NONE, SPAN.mine());
        Expr otherLow = call("-", ahead, span);
        Expr low = call("CASE", call("<", otherLow, mineLow), otherLow, mineLow);
        return List.of(
                of(END, segments, end, call("CASE", isAhead, end, END.mine())),
                of(SPAN, segments, span, call("-", top, low)),
                new Assignment(SENT.name(), call("+", SENT.mine(), sent)),
                new Assignment(SEGMENTS.name(), call("+", SEGMENTS.mine(), segments)));
    }

    /** Takes the part's value if there is nothing yet, and keeps its own if the part is empty. */
    private static Assignment of(StateWord word, Expr segments, Expr first, Expr joined) {
        Expr nothing = call("=", SEGMENTS.mine(), NONE);
        Expr empty = call("=", segments, NONE);
        return new Assignment(
                word.name(),
                call("CASE", empty, word.mine(), call("CASE", nothing, first, joined)));
    }

    /** Returns how far a sequence number is ahead of another, from -2^31 on. */
    private static Expr distance(Expr of, Expr from) {
        Expr plain = call("-", of, from);
        Expr low = call("<", call("+", plain, HALF), NONE);
        Expr up = call("CASE", low, call("+", plain, NUMBERS), plain);
        return call("CASE", call(">=", plain, HALF), call("-", plain, NUMBERS), up);
    }

    private static Expr wrapped(Expr number) {
        return call("CASE", call(">=", number, NUMBERS), call("-", number, NUMBERS), number);
    }

    private static StateWord word(String name) {
        return new StateWord(name, Kind.BIGINT, NONE);
    }

    private static Variable argument(String name) {
        return new Variable(Expr.Scope.ARGUMENT, name, new Type(Kind.BIGINT, false));
    }
}
