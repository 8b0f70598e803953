package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;

/** Reads CREATE TABLE name (column type, …) WITH (file = '…', key = '…', …). */
final class TableClause {
    private static final String FILE = "file";
    private static final String KEY = "key";
    private static final String MATCH = "match";
    private static final String RELOAD = "reload";
    private static final Map<String, String> EXAMPLES =
            Map.of(
                    FILE, "file = 'bad.csv'",
                    KEY, "key = 'addr', or key = 'addr, port'",
                    MATCH, "match = 'equal' or 'prefix'",
                    RELOAD, "reload = true");
    private static final List<String> NAMES = EXAMPLES.keySet().stream().sorted().toList();

    /** The most columns; the NULLs of a row are one word. */
    private static final int MOST_COLUMNS = 64;

    private static final int MOST_KEYS = 8;

    private static final Map<String, Kind> TYPES =
            Map.ofEntries(
                    Map.entry("BIGINT", Kind.BIGINT),
                    Map.entry("INTEGER", Kind.BIGINT),
                    Map.entry("INT", Kind.BIGINT),
                    Map.entry("SMALLINT", Kind.BIGINT),
                    Map.entry("DOUBLE", Kind.DOUBLE),
                    Map.entry("FLOAT", Kind.DOUBLE),
                    Map.entry("REAL", Kind.DOUBLE),
                    Map.entry("BOOLEAN", Kind.BOOLEAN),
                    Map.entry("VARCHAR", Kind.VARCHAR),
                    Map.entry("TEXT", Kind.VARCHAR),
                    Map.entry("TIMESTAMP", Kind.TIMESTAMP),
                    Map.entry("INET", Kind.INET),
                    Map.entry("IP", Kind.INET),
                    Map.entry("CIDR", Kind.INET),
                    Map.entry("MACADDR", Kind.MACADDR));

    private final Binding binding;

    TableClause(Binding binding) {
        this.binding = binding;
    }

    TableSpec of(ParsedStatement.CreateTable create) {
        Map<String, ParsedStatement.Setting> settings = settings(create);
        for (String needed : List.of(FILE, KEY)) {
            if (!settings.containsKey(needed)) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        create.name(),
                        "the table has no " + needed,
                        "WITH (" + EXAMPLES.get(needed) + ")");
            }
        }
        List<TableSpec.Column> columns = columns(create);
        List<String> key = key(settings.get(KEY), columns);
        Match match = match(settings.get(MATCH));
        checkPrefix(create, columns, key, match);
        boolean reload = settings.containsKey(RELOAD) && truth(settings.get(RELOAD));
        return new TableSpec(
                create.name().getSimple(), text(settings.get(FILE)), key, match, reload, columns);
    }

    private Map<String, ParsedStatement.Setting> settings(ParsedStatement.CreateTable create) {
        Map<String, ParsedStatement.Setting> settings = new TreeMap<>();
        for (ParsedStatement.Setting setting : create.settings()) {
            String name = setting.name().getSimple();
            if (!NAMES.contains(name)) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        setting.name(),
                        "there is no setting " + name,
                        Suggestion.hint(name, NAMES, "a table takes " + String.join(", ", NAMES)));
            } else if (settings.put(name, setting) != null) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION, setting.name(), name + " is set twice");
            }
        }
        return settings;
    }

    private List<TableSpec.Column> columns(ParsedStatement.CreateTable create) {
        List<TableSpec.Column> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ParsedStatement.Column column : create.columns()) {
            String name = column.name().getSimple();
            if (!names.add(name)) {
                throw binding.error(
                        ErrorCode.INVALID_QUERY, column.name(), "two columns are " + name);
            } else if (names.size() >= MOST_COLUMNS) {
                throw binding.error(
                        ErrorCode.INVALID_QUERY,
                        column.name(),
                        "a table of more than " + (MOST_COLUMNS - 1) + " columns");
            }
            String type = column.type().getTypeName().toString().toUpperCase(Locale.ROOT);
            Kind kind = TYPES.get(type);
            if (kind == null) {
                throw binding.error(
                        ErrorCode.TYPE_MISMATCH,
                        column.type(),
                        "there is no type " + type,
                        "INET, CIDR, BIGINT, DOUBLE, BOOLEAN, VARCHAR, TIMESTAMP, MACADDR");
            }
            String path = column.path() == null ? name : text(column.path(), "PATH");
            columns.add(new TableSpec.Column(name, kind, type.equals("CIDR"), path));
        }
        return columns;
    }

    private List<String> key(ParsedStatement.Setting setting, List<TableSpec.Column> columns) {
        List<String> key = Arrays.stream(text(setting).split(",")).map(String::strip).toList();
        List<String> known = columns.stream().map(TableSpec.Column::name).toList();
        for (String name : key) {
            if (name.isEmpty() || !known.isEmpty() && !known.contains(name)) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        setting.value(),
                        "the key's column '" + name + "' is not among the table's",
                        Suggestion.hint(name, known, EXAMPLES.get(KEY)));
            }
        }
        if (key.size() > MOST_KEYS || new HashSet<>(key).size() < key.size()) {
            throw binding.error(
                    ErrorCode.INVALID_OPTION,
                    setting.value(),
                    "a key has up to " + MOST_KEYS + " columns, each once",
                    EXAMPLES.get(KEY));
        }
        return key;
    }

    private Match match(ParsedStatement.Setting setting) {
        if (setting == null) {
            return Match.EQUAL;
        }
        return Arrays.stream(Match.values())
                .filter(match -> match.name().equalsIgnoreCase(text(setting)))
                .findFirst()
                .orElseThrow(() -> refused(setting));
    }

    private void checkPrefix(
            ParsedStatement.CreateTable create,
            List<TableSpec.Column> columns,
            List<String> key,
            Match match) {
        if (match == Match.PREFIX && key.size() > 1) {
            throw binding.error(
                    ErrorCode.INVALID_OPTION,
                    create.name(),
                    "a key that matches by prefix has one column",
                    "key = '" + key.get(0) + "', match = 'prefix'");
        }
        for (TableSpec.Column column : columns) {
            boolean isKey = key.contains(column.name());
            boolean wrong = column.isPrefix() && !(isKey && match == Match.PREFIX);
            if (wrong || isKey && match == Match.PREFIX && column.kind() != Kind.INET) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        create.name(),
                        wrong
                                ? column.name() + " is CIDR, and the key does not match by prefix"
                                : column.name() + " is no CIDR, and the key matches by prefix",
                        wrong ? "match = 'prefix', or VARCHAR" : column.name() + " CIDR");
            } else if (isKey && column.kind() == Kind.DOUBLE) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        create.name(),
                        column.name() + " is DOUBLE, which is no key",
                        "a key is an address, a whole number or a text");
            }
        }
    }

    private boolean truth(ParsedStatement.Setting setting) {
        if (setting.value() instanceof SqlLiteral literal
                && literal.getValue() instanceof Boolean truth) {
            return truth;
        }
        throw refused(setting);
    }

    private String text(ParsedStatement.Setting setting) {
        return text(setting.value(), setting.name().getSimple());
    }

    private String text(SqlNode value, String name) {
        if (value instanceof SqlCharStringLiteral literal) {
            return literal.getValueAs(String.class).strip();
        }
        throw refused(value, name);
    }

    private WeirException refused(ParsedStatement.Setting setting) {
        return refused(setting.value(), setting.name().getSimple());
    }

    private WeirException refused(SqlNode value, String name) {
        return binding.error(
                ErrorCode.INVALID_OPTION,
                value,
                name + " cannot be " + binding.source().quote(value),
                EXAMPLES.getOrDefault(name, "a text: " + name + " 'country.iso_code'"));
    }
}
