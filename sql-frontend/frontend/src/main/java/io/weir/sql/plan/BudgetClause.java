package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.kernel.TopKRewrite;
import io.weir.operators.kernel.Undercount;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCharStringLiteral;

/** Reads WITH (memory = '64MB', on_overflow = 'evict' | 'topk' | 'fail'): the budget of a query. */
final class BudgetClause {
    private static final String MEMORY = "memory";
    private static final String ON_OVERFLOW = "on_overflow";
    private static final List<String> NAMES =
            List.of(MEMORY, ON_OVERFLOW, BindingSettings.BINDINGS, BindingSettings.IDLE);
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*(B|KB|MB|GB)");
    private static final String UNITS = "B, KB, MB and GB are powers of 1024: '64MB'";
    private static final String OVERFLOWS =
            "'evict' leaves new groups out, 'topk' the lightest, 'fail' ends the query";

    private final Binding binding;

    BudgetClause(Binding binding) {
        this.binding = binding;
    }

    /** Returns the query with its budget, if the statement has one. */
    Query of(ParsedStatement.Query parsed, Query query) {
        Map<String, ParsedStatement.Setting> settings = new LinkedHashMap<>();
        for (ParsedStatement.Setting setting : parsed.settings()) {
            String name = setting.name().getSimple();
            if (!NAMES.contains(name)) {
                String known = "WITH takes " + String.join(" and ", NAMES);
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        setting.name(),
                        "there is no setting " + name,
                        Suggestion.hint(name, NAMES, known));
            } else if (settings.put(name, setting) != null) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION, setting.name(), name + " is set twice");
            }
        }
        BindingSettings.NAMES.forEach(settings::remove);
        Query bounded = settings.isEmpty() || isElsewhere(query) ? query : bounded(settings, query);
        return Undercount.shows(bounded) ? telling(parsed, bounded) : bounded;
    }

    /** Returns whether the budget is that of other sub-queries, or of the query's own ones. */
    private static boolean isElsewhere(Query query) {
        return hasParts(query) && !holds(query);
    }

    private static boolean hasParts(Query query) {
        return SubQueryNames.isOne(query.name())
                || query.scan().queries().stream().anyMatch(SubQueryNames::isOne);
    }

    /** Returns whether a query keeps groups or rows. */
    private static boolean holds(Query query) {
        return query.aggregate().isPresent()
                || query.scan().join().isPresent()
                || query.over().filter(Operator.Over::hasHistory).isPresent();
    }

    /** Adds the columns that report groups without room. */
    private Query telling(ParsedStatement.Query parsed, Query query) {
        String columns = "undercount and left_out_most are columns of ";
        if (!query.reads().comesAsGpvs() || query.aggregate().isEmpty()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    parsed.query(),
                    columns + "queries with groups of packets",
                    "other queries leave no group out");
        } else if (query.budget().filter(b -> b.overflow() == Budget.Overflow.FAIL).isPresent()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    parsed.query(),
                    columns + "queries that leave groups out",
                    "with on_overflow = 'fail' all groups are exact; 'evict' and 'topk' have them");
        }
        return query.budget().flatMap(Budget::rank).isPresent() ? query : Undercount.of(query);
    }

    private Query bounded(Map<String, ParsedStatement.Setting> settings, Query query) {
        ParsedStatement.Setting memory = settings.get(MEMORY);
        ParsedStatement.Setting overflow = settings.get(ON_OVERFLOW);
        if (memory == null) {
            throw binding.error(
                    ErrorCode.INVALID_OPTION,
                    overflow.name(),
                    "on_overflow without memory",
                    "add memory = '64MB'");
        }
        boolean overRows = !query.reads().comesAsGpvs();
        if (overRows && !holds(query)) {
            throw binding.notSupported(
                    memory.name(),
                    "memory of a query that keeps no rows of the query that it reads",
                    "bound " + query.scan().stream() + ", whose rows it reads");
        }
        long bytes = bytes(memory);
        Budget.Overflow policy = overflow == null ? Budget.Overflow.EVICT : overflow(overflow);
        if (policy == Budget.Overflow.TOPK && !overRows) {
            return heaviest(query, bytes, overflow);
        } else if (policy == Budget.Overflow.TOPK && !hasParts(query)) {
            throw binding.notSupported(
                    overflow.value(),
                    "'topk' of a query over another query's rows",
                    "'evict' leaves new groups and rows out, 'fail' ends the query");
        }
        policy = policy == Budget.Overflow.TOPK ? Budget.Overflow.EVICT : policy;
        Optional<Budget> budget = Optional.of(new Budget(bytes, policy));
        return query.with(query.root(), budget);
    }

    private Query heaviest(Query query, long bytes, ParsedStatement.Setting overflow) {
        try {
            return TopKRewrite.of(query, bytes);
        } catch (WeirException refused) {
            throw binding.error(
                    refused.code(),
                    overflow.value(),
                    refused.getMessage(),
                    refused.hint().orElse(null));
        }
    }

    private long bytes(ParsedStatement.Setting setting) {
        Matcher size = SIZE.matcher(text(setting, UNITS).toUpperCase(Locale.ROOT));
        if (!size.matches()) {
            throw invalid(setting, UNITS);
        }
        long unit =
                switch (size.group(2)) {
                    case "KB" -> 1L << 10;
                    case "MB" -> 1L << 20;
                    case "GB" -> 1L << 30;
                    default -> 1L;
                };
        long count = Long.parseLong(size.group(1));
        if (count > Long.MAX_VALUE / unit || count * unit < Budget.LEAST_BYTES) {
            throw invalid(setting, "at least " + (Budget.LEAST_BYTES >> 10) + "KB");
        }
        return count * unit;
    }

    private Budget.Overflow overflow(ParsedStatement.Setting setting) {
        return switch (text(setting, OVERFLOWS).toLowerCase(Locale.ROOT)) {
            case "evict" -> Budget.Overflow.EVICT;
            case "fail" -> Budget.Overflow.FAIL;
            case "topk" -> Budget.Overflow.TOPK;
            default -> throw invalid(setting, OVERFLOWS);
        };
    }

    private String text(ParsedStatement.Setting setting, String hint) {
        if (setting.value() instanceof SqlCharStringLiteral literal) {
            return literal.getValueAs(String.class).strip();
        }
        throw invalid(setting, hint);
    }

    private WeirException invalid(ParsedStatement.Setting setting, String hint) {
        String written = binding.source().quote(setting.value());
        return binding.error(
                ErrorCode.INVALID_OPTION,
                setting.value(),
                setting.name().getSimple() + " cannot be " + written,
                hint);
    }
}
