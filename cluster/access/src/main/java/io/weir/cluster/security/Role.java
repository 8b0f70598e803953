package io.weir.cluster.security;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A set of rights for a kind of user. A user with several roles has the rights of all. */
public enum Role {
    /** Looks at results. */
    VIEWER,
    /** Looks into what happened, down to single packets. */
    ANALYST,
    /** Defines the queries, and need not see whose packets they count. */
    OPERATOR,
    ADMIN;

    boolean has(Right right) {
        return switch (this) {
            case VIEWER -> right == Right.READ;
            case ANALYST -> right == Right.READ || right == Right.ASK || right == Right.EVIDENCE;
            case OPERATOR -> right == Right.READ || right == Right.ASK || right == Right.CHANGE;
            case ADMIN -> true;
        };
    }

    /** Returns the name that users write. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads roles from a text like {@code analyst,operator}. */
    public static Set<Role> parse(String text) {
        EnumSet<Role> roles = EnumSet.noneOf(Role.class);
        for (String word : text.split(",", -1)) {
            roles.add(
                    Arrays.stream(values())
                            .filter(role -> role.text().equals(word.strip()))
                            .findFirst()
                            .orElseThrow(() -> unknown(word)));
        }
        return roles;
    }

    private static WeirException unknown(String word) {
        List<String> all = Arrays.stream(values()).map(Role::text).toList();
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                "'" + word.strip() + "' is no role",
                "roles are " + String.join(", ", all) + "; several with commas between");
    }

    /** Returns the roles with a right, for hints. */
    static List<String> having(Right right) {
        return Arrays.stream(values()).filter(r -> r.has(right)).map(Role::text).toList();
    }
}
