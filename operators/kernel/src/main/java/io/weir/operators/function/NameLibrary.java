package io.weir.operators.function;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Kind;
import java.util.List;

/** Names of numbers in headers. */
public final class NameLibrary implements FunctionLibrary {
    private static final Function PROTOCOL =
            Function.strict(
                    "protocol_name",
                    Kind.VARCHAR,
                    Code.call(KnownNames.class, "protocol", "$0"),
                    a -> KnownNames.protocolText((Long) a[0]),
                    Kind.BIGINT);

    private static final Function SERVICE =
            Function.strict(
                    "service_name",
                    Kind.VARCHAR,
                    Code.call(KnownNames.class, "service", "$0", "$1"),
                    a -> KnownNames.serviceText((Long) a[0], (Long) a[1]),
                    Kind.BIGINT,
                    Kind.BIGINT);

    @Override
    public String topic() {
        return "Names";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("PROTOCOL_NAME")
                        .form("PROTOCOL_NAME(proto)", "TCP for 6; a number that has no name stays")
                        .calls(PROTOCOL, "proto")
                        .example("PROTOCOL_NAME(proto)", "TCP")
                        .example("PROTOCOL_NAME(253)", "253")
                        .build(),
                FunctionBuilder.of("SERVICE_NAME")
                        .form("SERVICE_NAME(port, proto)", "https for TCP's 443; or the number")
                        .calls(SERVICE, "port", "proto")
                        .example("SERVICE_NAME(dst_port, proto)", "https")
                        .example("SERVICE_NAME(src_port, proto)", "40000")
                        .build());
    }
}
