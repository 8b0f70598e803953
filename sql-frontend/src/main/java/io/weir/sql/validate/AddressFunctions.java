package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;

/** Binds IN_SUBNET and FAMILY. */
final class AddressFunctions {
    private final Binding binding;
    private final Conversions conversions;

    AddressFunctions(Binding binding, Conversions conversions) {
        this.binding = binding;
        this.conversions = conversions;
    }

    Expr family(SqlCall call, List<Operand> arguments) {
        return binding.call(call, "family", address(arguments.get(0), "FAMILY"));
    }

    private Expr address(Operand operand, String function) {
        return conversions
                .convert(operand, Kind.INET)
                .orElseThrow(
                        () ->
                                binding.mismatch(
                                        operand.node(),
                                        function + " takes an address, not " + operand.kindName(),
                                        null));
    }

    /** The subnet is a literal, so its prefix is known when the kernel is made. */
    Expr inSubnet(SqlCall call, List<Operand> arguments) {
        Expr address = address(arguments.get(0), "IN_SUBNET");
        Operand subnet = constant(arguments.get(1), Parameters.string("0.0.0.0/0"));
        if (!subnet.isString()) {
            throw malformed(subnet, "IN_SUBNET takes its subnet as a string");
        }
        String text = (String) ((Literal) subnet.expr()).value();
        int slash = text.indexOf('/');
        Optional<Inet> network =
                slash < 0 ? Optional.empty() : InetText.parse(text.substring(0, slash));
        if (network.isEmpty()) {
            throw malformed(subnet, binding.quote(subnet.node()) + " is not a subnet");
        }
        long prefix = prefix(subnet, text.substring(slash + 1), network.get().family());
        return binding.call(
                call,
                "in_subnet",
                address,
                new Literal(network.get(), Type.INET),
                Literal.of(prefix));
    }

    private Operand constant(Operand operand, Literal sample) {
        return new Operand(
                binding.constant(operand.node(), operand.expr(), sample), operand.node());
    }

    private long prefix(Operand subnet, String text, int family) {
        int most = family == 4 ? 32 : 128;
        boolean digits = text.matches("\\d{1,3}");
        if (!digits || Integer.parseInt(text) > most) {
            throw malformed(
                    subnet,
                    "the prefix of an IPv" + family + " subnet is a number from 0 to " + most);
        }
        return Integer.parseInt(text);
    }

    private WeirException malformed(Operand subnet, String message) {
        return binding.error(
                ErrorCode.TYPE_MISMATCH,
                subnet.node(),
                message,
                "write it as '10.0.0.0/8' or '2001:db8::/32'");
    }
}
