package io.weir.sql.catalog;

import io.weir.operators.function.FunctionDef;

/**
 * An aggregate that a user has created.
 *
 * @param name in small letters
 * @param sql its CREATE AGGREGATE
 */
public record DefinedAggregate(String name, String sql, FunctionDef def) {}
