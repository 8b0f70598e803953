package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.RoleTable;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each role may at a cluster's server: the same as at one that has the packets. */
class ClusterRolesTest {
    @TempDir private static Path directory;

    private static EmbeddedBroker broker;
    private static ClusterNode node;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.startAlone(directory);
        node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "test");
        for (String query : RoleTable.QUERIES) {
            Answer.Change create = (Answer.Change) node.session(user(Role.ADMIN)).prepare(query);
            var unused = create.action().get();
        }
    }

    @AfterAll
    static void stop() {
        node.close();
        broker.close();
    }

    @Test
    void rolesMayWhatTheyMay() {
        check(RoleTable.ALLOWED);
    }

    @Test
    void singlePacketsStaySo() {
        check(RoleTable.SINGLE_PACKETS);
    }

    @Test
    void whoMayShowMaySelect() {
        Map<String, Set<Role>> audit =
                Map.of(
                        "SHOW AUDIT",
                        Set.of(Role.ADMIN),
                        "DESCRIBE sys.audit",
                        Set.of(Role.ADMIN),
                        "SELECT * FROM sys.audit",
                        Set.of(Role.ADMIN),
                        "SELECT 1 FROM sys.queries WHERE EXISTS (SELECT 1 FROM sys.audit)",
                        Set.of(Role.ADMIN),
                        "SELECT * FROM sys.workers",
                        Set.of(Role.values()));
        check(audit);
        assertFalse(tables(Role.VIEWER).contains("audit"));
        assertTrue(tables(Role.ADMIN).contains("audit"));
    }

    private static List<String> tables(Role role) {
        return node.sysTables(user(role)).stream().map(SqlNode.Stream::name).toList();
    }

    private static void check(Map<String, Set<Role>> allowed) {
        for (Role role : Role.values()) {
            allowed.forEach(
                    (sql, roles) ->
                            assertEquals(
                                    roles.contains(role), isAllowed(role, sql), role + ": " + sql));
        }
    }

    /** Whatever else is against it: packets are at the workers. */
    private static boolean isAllowed(Role role, String sql) {
        try {
            return node.session(user(role)).prepare(sql) != null;
        } catch (WeirException e) {
            return e.code() != ErrorCode.NOT_ALLOWED;
        }
    }

    private static User user(Role role) {
        return new User(role.text(), Set.of(role));
    }
}
