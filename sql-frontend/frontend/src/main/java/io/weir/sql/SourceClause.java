package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlCharStringLiteral;

/** Reads CREATE SOURCE name WITH (uri = '…', node = '…', lateness = '10ms', timeout = '1s'). */
final class SourceClause {
    private static final String URI = "uri";
    private static final Map<String, String> EXAMPLES =
            Map.of(
                    URI,
                    "uri = 'afpacket:eth0'",
                    "node",
                    "node = 'tap1'",
                    "lateness",
                    "lateness = '10ms'",
                    "timeout",
                    "timeout = '1s'");
    private static final List<String> NAMES = EXAMPLES.keySet().stream().sorted().toList();

    private final Binding binding;

    SourceClause(Binding binding) {
        this.binding = binding;
    }

    Statement of(ParsedStatement.CreateSource create) {
        Map<String, String> values = new TreeMap<>();
        for (ParsedStatement.Setting setting : create.settings()) {
            String name = setting.name().getSimple();
            if (!NAMES.contains(name)) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        setting.name(),
                        "there is no setting " + name,
                        Suggestion.hint(
                                name,
                                NAMES,
                                "a source takes "
                                        + String.join(", ", NAMES)
                                        + "; other options are in the uri: '…?name=value'"));
            } else if (values.put(name, text(setting)) != null) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION, setting.name(), name + " is set twice");
            }
        }
        if (!values.containsKey(URI)) {
            throw binding.error(
                    ErrorCode.INVALID_OPTION,
                    create.name(),
                    "the source has no uri",
                    "WITH (" + EXAMPLES.get(URI) + ")");
        }
        return new Statement.CreateSource(create.name().getSimple(), values);
    }

    private String text(ParsedStatement.Setting setting) {
        if (setting.value() instanceof SqlCharStringLiteral literal) {
            return literal.getValueAs(String.class).strip();
        }
        throw refused(setting);
    }

    private WeirException refused(ParsedStatement.Setting setting) {
        String name = setting.name().getSimple();
        return binding.error(
                ErrorCode.INVALID_OPTION,
                setting.value(),
                name + " cannot be " + binding.source().quote(setting.value()),
                "a text: " + EXAMPLES.get(name));
    }
}
