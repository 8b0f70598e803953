package io.weir.cluster.security;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A user with roles. */
public record User(String name, Set<Role> roles) {
    private static final Pattern NAME = Pattern.compile("[\\w.@-]{1,64}");

    /** The user of a server without users, which only this machine can reach. */
    public static final User ANYBODY = new User("anybody", Set.of(Role.ADMIN));

    public User {
        if (!NAME.matcher(name).matches()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "this cannot be the name of a user",
                    "letters, digits and _ . @ -, at most 64");
        }
        roles = Set.copyOf(roles);
    }

    public boolean may(Right right) {
        return roles.stream().anyMatch(role -> role.has(right));
    }

    /** Throws NOT_ALLOWED when the user lacks the right. */
    public void check(Right right) {
        if (!may(right)) {
            List<String> able = Role.having(right);
            throw new WeirException(
                    ErrorCode.NOT_ALLOWED,
                    name + " (" + rolesText() + ") may not " + right.doing(),
                    "the role " + String.join(" or ", able) + " may");
        }
    }

    /** Returns the roles separated by commas, in a fixed order. */
    public String rolesText() {
        return roles.stream().sorted().map(Role::text).collect(Collectors.joining(","));
    }
}
