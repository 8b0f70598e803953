package io.weir.cluster.server;

import io.weir.cluster.session.Sessions;
import io.weir.sql.parse.Lexer;
import io.weir.sql.parse.StatementParser;
import java.util.HashMap;
import java.util.Map;

/**
 * Facts about Weir, by the method of DatabaseMetaData that asks. Avatica's answers are wrong here.
 */
final class DatabaseFacts {
    private static final String[] NOT = {
        "allProceduresAreCallable",
        "dataDefinitionCausesTransactionCommit",
        "deletesAreDetected",
        "insertsAreDetected",
        "isCatalogAtStart",
        "locatorsUpdateCopy",
        "othersDeletesAreVisible",
        "othersInsertsAreVisible",
        "othersUpdatesAreVisible",
        "ownDeletesAreVisible",
        "ownInsertsAreVisible",
        "ownUpdatesAreVisible",
        "supportsANSI92EntryLevelSQL",
        "supportsANSI92FullSQL",
        "supportsANSI92IntermediateSQL",
        "supportsCatalogsInDataManipulation",
        "supportsCatalogsInIndexDefinitions",
        "supportsCatalogsInPrivilegeDefinitions",
        "supportsCatalogsInProcedureCalls",
        "supportsCatalogsInTableDefinitions",
        "supportsConvert",
        "supportsCoreSQLGrammar",
        "supportsCorrelatedSubqueries",
        "supportsDataManipulationTransactionsOnly",
        "supportsExtendedSQLGrammar",
        "supportsFullOuterJoins",
        "supportsLimitedOuterJoins",
        "supportsMinimumSQLGrammar",
        "supportsNonNullableColumns",
        "supportsOuterJoins",
        "supportsSchemasInIndexDefinitions",
        "supportsSchemasInPrivilegeDefinitions",
        "supportsSchemasInProcedureCalls",
        "supportsStoredFunctionsUsingCallSyntax",
        "supportsSubqueriesInComparisons",
        "supportsSubqueriesInExists",
        "supportsSubqueriesInIns",
        "supportsUnion",
        "supportsUnionAll",
        "updatesAreDetected",
    };

    static final Map<String, Object> BY_METHOD = facts();

    private DatabaseFacts() {}

    private static Map<String, Object> facts() {
        Map<String, Object> facts = new HashMap<>();
        for (String method : NOT) {
            facts.put(method, false);
        }
        facts.put("getMaxConnections", Sessions.MAX_SESSIONS);
        facts.put("getMaxStatements", Sessions.MAX_STATEMENTS);
        facts.put("getMaxStatementLength", Lexer.MAX_CHARACTERS);
        facts.put("getMaxColumnNameLength", StatementParser.MAX_NAME_LENGTH);
        facts.put("getMaxTableNameLength", StatementParser.MAX_NAME_LENGTH);
        facts.put("getMaxTablesInSelect", 1);
        return Map.copyOf(facts);
    }
}
