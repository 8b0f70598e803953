package io.weir.operators.function;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Function.NullRule;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Subnet;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Functions of addresses. */
public final class AddressLibrary implements FunctionLibrary {
    /** address, network, number of the network's bits. */
    public static final Function IN_SUBNET =
            Function.strict(
                    "in_subnet",
                    Kind.BOOLEAN,
                    Code.call(
                            Subnet.class,
                            "contains",
                            "$1f",
                            "$1h",
                            "$1l",
                            "$2",
                            "$0f",
                            "$0h",
                            "$0l"),
                    null,
                    Kind.INET,
                    Kind.INET,
                    Kind.BIGINT);

    private static final Function FAMILY =
            Function.strict("family", Kind.BIGINT, "$0f", null, Kind.INET);

    /** address, number of bits of IPv4, of IPv6. */
    private static final Function SUBNET =
            Function.strict(
                    "subnet",
                    Kind.VARCHAR,
                    Function.TEXT
                            + Code.call(InetText.class, "format", "(int) $0f", "$0h", "$0l")
                            + " + \"/\" + ($0f == 4L ? $1 : $2)",
                    a -> a[0] + "/" + (((Inet) a[0]).family() == 4 ? a[1] : a[2]),
                    Kind.INET,
                    Kind.BIGINT,
                    Kind.BIGINT);

    private static final String FAMILIES_DIFFER = "$0f != $1f";

    /** both addresses, both ports, protocol. */
    private static final Function COMMUNITY_ID =
            new Function(
                    "community_id",
                    List.of(Kind.INET, Kind.INET, Kind.BIGINT, Kind.BIGINT, Kind.BIGINT),
                    Kind.VARCHAR,
                    NullRule.STRICT,
                    communityId("0L", "0L"),
                    FAMILIES_DIFFER + " || " + Code.call(CommunityId.class, "needsType", "$4"),
                    Optional.of(a -> needsType(a) ? null : plainCommunityId(a, 0, 0)));

    /** both addresses, both ports, protocol, type and code of ICMP. */
    private static final Function COMMUNITY_ID_OF_PACKET =
            new Function(
                    "community_id",
                    List.of(
                            Kind.INET,
                            Kind.INET,
                            Kind.BIGINT,
                            Kind.BIGINT,
                            Kind.BIGINT,
                            Kind.BIGINT,
                            Kind.BIGINT),
                    Kind.VARCHAR,
                    NullRule.STRICT,
                    communityId("$5", "$6"),
                    FAMILIES_DIFFER,
                    Optional.of(a -> plainCommunityId(a, (Long) a[5], (Long) a[6])));

    private static final Pattern PREFIX = Pattern.compile("prefix_(\\d{1,2})_(\\d{1,3})");
    private static final String SUBNET_FORM = "write it as '10.0.0.0/8' or '2001:db8::/32'";
    private static final int BITS_OF_IPV4 = 32;
    private static final int BITS_OF_IPV6 = 128;

    @Override
    public String topic() {
        return "Addresses";
    }

    @Override
    public Optional<Function> part(String name) {
        if (name.equals(IN_SUBNET.name())) {
            return Optional.of(IN_SUBNET);
        }
        Matcher prefix = PREFIX.matcher(name);
        if (!prefix.matches()) {
            return Optional.empty();
        }
        int four = Integer.parseInt(prefix.group(1));
        int six = Integer.parseInt(prefix.group(2));
        return four > BITS_OF_IPV4 || six > BITS_OF_IPV6
                ? Optional.empty()
                : Optional.of(first(four, six));
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(inSubnet(), prefix(), subnetText(), family(), communityId());
    }

    private static FunctionDef inSubnet() {
        Literal all = new Literal("0.0.0.0/0", Type.VARCHAR);
        Parameter subnet =
                Parameter.constant(
                                "subnet", all, "IN_SUBNET takes its subnet as a string", v -> true)
                        .hinting(SUBNET_FORM);
        return FunctionBuilder.of("IN_SUBNET")
                .form("IN_SUBNET(addr, '10.0.0.0/8')", "whether the address is in the subnet")
                .row(AddressLibrary::subnet, Parameter.of("addr", Kind.INET), subnet)
                .gives(Kind.BOOLEAN)
                .example("IN_SUBNET(src_addr, '192.0.2.0/24')", "true")
                .example("IN_SUBNET(src_addr, '::/0')", "false")
                .build();
    }

    private static Expr subnet(List<Expr> arguments) {
        String text = (String) ((Literal) arguments.get(1)).value();
        int slash = text.indexOf('/');
        Optional<Inet> network =
                slash < 0 ? Optional.empty() : InetText.parse(text.substring(0, slash));
        if (network.isEmpty()) {
            throw malformed("'" + text + "' is not a subnet");
        }
        int family = network.get().family();
        long most = family == 4 ? BITS_OF_IPV4 : BITS_OF_IPV6;
        String bits = text.substring(slash + 1);
        if (!bits.matches("\\d{1,3}") || Integer.parseInt(bits) > most) {
            throw malformed(
                    "the prefix of an IPv" + family + " subnet is a number from 0 to " + most);
        }
        Expr length = Literal.of(Long.parseLong(bits));
        Expr literal = new Literal(network.get(), Type.INET);
        return Functions.call(IN_SUBNET, List.of(arguments.get(0), literal, length));
    }

    private static BadArgument malformed(String message) {
        return new BadArgument(1, ErrorCode.TYPE_MISMATCH, message, SUBNET_FORM);
    }

    /** Begins a function of an address, and of bits for both families or for each. */
    private static FunctionBuilder ofBits(String name, Meaning.OfRow maker) {
        Parameter address = Parameter.of("addr", Kind.INET);
        Parameter six = bits("m", BITS_OF_IPV6);
        return FunctionBuilder.of(name)
                .row(maker, address, bits("n", BITS_OF_IPV6))
                .row(maker, address, bits("n", BITS_OF_IPV4), six);
    }

    private static FunctionDef prefix() {
        return ofBits("PREFIX", AddressLibrary::prefix)
                .form("PREFIX(addr, n)", "the address with its first n bits only")
                .form("PREFIX(addr, n, m)", "n bits of IPv4, m bits of IPv6")
                .gives(Kind.INET)
                .code(first(24, 60), first(0, 128), first(32, 0), first(9, 64), first(31, 65))
                .example("PREFIX(src_addr, 24)", "192.0.2.0")
                .example("PREFIX(src_addr, 20, 60)", "192.0.0.0")
                .example("PREFIX('2001:db8:0:ff::1', 24, 60)", "2001:db8:0:f0::")
                .build();
    }

    private static Parameter bits(String name, int most) {
        return Parameter.constant(
                name,
                Literal.of(0L),
                name + " is a constant from 0 to " + most,
                value -> value instanceof Long n && n >= 0 && n <= most);
    }

    private static Expr prefix(List<Expr> arguments) {
        long four = (Long) ((Literal) arguments.get(1)).value();
        long six = (Long) ((Literal) arguments.get(arguments.size() - 1)).value();
        Function first = first((int) Math.min(four, BITS_OF_IPV4), (int) six);
        return Functions.call(first, arguments.subList(0, 1));
    }

    /**
     * Makes a function that keeps so many bits of IPv4, and of IPv6. Masks are in the code, as
     * constants.
     */
    private static Function first(int four, int six) {
        long mask = ones(four, BITS_OF_IPV4) >>> BITS_OF_IPV4;
        String high = hex(ones(six, Long.SIZE));
        String low = hex(ones(six - Long.SIZE, Long.SIZE));
        String code = "$0f|$0h & " + high + "|$0l & ($0f == 4L ? " + hex(mask) + " : " + low + ")";
        return Function.strict(
                "prefix_" + four + "_" + six,
                Kind.INET,
                code,
                a -> first((Inet) a[0], four, six),
                Kind.INET);
    }

    private static String hex(long mask) {
        return "0x" + Long.toHexString(mask) + "L";
    }

    /**
     * Returns a word whose highest bits are 1: so many of them, at least 0 and at most {@code
     * most}.
     */
    private static long ones(int bits, int most) {
        int count = Math.max(0, Math.min(bits, most));
        return count == 0 ? 0 : -1L << (Long.SIZE - count);
    }

    /** Computes it bit by bit, for the interpreter. */
    private static Inet first(Inet address, int four, int six) {
        int bits = address.family() == 4 ? BITS_OF_IPV6 - BITS_OF_IPV4 + four : six;
        long high = 0;
        long low = 0;
        for (int bit = 0; bit < bits; bit++) {
            long one = 1L << (Long.SIZE - 1 - bit % Long.SIZE);
            high |= bit < Long.SIZE ? address.high() & one : 0;
            low |= bit < Long.SIZE ? 0 : address.low() & one;
        }
        return address.family() == 4 ? Inet.v4((int) low) : Inet.v6(high, low);
    }

    /** The address is PREFIX's, so a query that groups by PREFIX can show the subnet. */
    private static FunctionDef subnetText() {
        return ofBits("SUBNET", AddressLibrary::subnetText)
                .form("SUBNET(addr, n)", "PREFIX with /n behind it, as text")
                .form("SUBNET(addr, n, m)", "n bits of IPv4, m bits of IPv6")
                .gives(Kind.VARCHAR)
                .code(SUBNET)
                .example("SUBNET(src_addr, 24)", "192.0.2.0/24")
                .example("SUBNET('2001:db8:0:ff::1', 24, 60)", "2001:db8:0:f0::/60")
                .build();
    }

    private static Expr subnetText(List<Expr> arguments) {
        long four = (Long) ((Literal) arguments.get(1)).value();
        Expr six = arguments.get(arguments.size() - 1);
        Expr most = Literal.of(Math.min(four, BITS_OF_IPV4));
        return Functions.call(SUBNET, List.of(prefix(arguments), most, six));
    }

    private static FunctionDef communityId() {
        return FunctionBuilder.of("COMMUNITY_ID")
                .form("COMMUNITY_ID(5-tuple)", "a flow's name in Zeek; NULL for ICMP")
                .form("COMMUNITY_ID(5-tuple, icmp…)", "with icmp_type, icmp_code: of all packets")
                .calls(COMMUNITY_ID, "src_addr", "dst_addr", "src_port", "dst_port", "proto")
                .calls(
                        COMMUNITY_ID_OF_PACKET,
                        "src_addr",
                        "dst_addr",
                        "src_port",
                        "dst_port",
                        "proto",
                        "icmp_type",
                        "icmp_code")
                .nulls("when an argument is; for addresses of two families")
                .example(
                        "COMMUNITY_ID('128.232.110.120', '66.35.250.204', 34855, 80, 6)",
                        "1:LQU9qZlK+B5F3KDmev6m5PMibrg=")
                .example(
                        "COMMUNITY_ID('192.168.0.89', '192.168.0.1', 0, 0, 1, 8, 0)",
                        "1:X0snYXpgwiv9TZtqg64sgzUn6Dk=")
                .build();
    }

    private static String communityId(String type, String code) {
        String[] words = {"$0f", "$0h", "$0l", "$1h", "$1l", "$2", "$3", "$4", type, code};
        return Function.TEXT + Code.call(CommunityId.class, "of", words);
    }

    private static boolean needsType(Object... a) {
        return CommunityId.needsType((Long) a[4]);
    }

    private static Object plainCommunityId(Object[] a, long type, long code) {
        Inet source = (Inet) a[0];
        Inet target = (Inet) a[1];
        return source.family() != target.family()
                ? null
                : CommunityId.of(
                        source.family(),
                        source.high(),
                        source.low(),
                        target.high(),
                        target.low(),
                        (Long) a[2],
                        (Long) a[3],
                        (Long) a[4],
                        type,
                        code);
    }

    private static FunctionDef family() {
        return FunctionBuilder.of("FAMILY")
                .form("FAMILY(addr)", "4 or 6")
                .calls(FAMILY, "addr")
                .example("FAMILY(src_addr)", "4")
                .build();
    }
}
