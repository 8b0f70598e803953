package io.weir.operators.graph;

/** A kind, with the information whether a value can be NULL. */
public record Type(Kind kind, boolean nullable) {
    public static final Type BOOLEAN = new Type(Kind.BOOLEAN, false);
    public static final Type BIGINT = new Type(Kind.BIGINT, false);
    public static final Type DOUBLE = new Type(Kind.DOUBLE, false);
    public static final Type TIMESTAMP = new Type(Kind.TIMESTAMP, false);
    public static final Type INTERVAL = new Type(Kind.INTERVAL, false);
    public static final Type INET = new Type(Kind.INET, false);
    public static final Type MACADDR = new Type(Kind.MACADDR, false);
    public static final Type VARCHAR = new Type(Kind.VARCHAR, false);

    public Type orNull() {
        return new Type(kind, true);
    }

    @Override
    public String toString() {
        return nullable ? kind.name() : kind + " NOT NULL";
    }
}
