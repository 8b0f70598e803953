package io.weir.cluster.launcher;

import io.weir.cluster.audit.Audit;
import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.node.Answer;
import io.weir.cluster.security.Access;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The common part of servers that record statements. */
final class Auditing {
    private static final Logger LOG = LoggerFactory.getLogger(Auditing.class);

    private Auditing() {}

    /** Returns the name of a server on this machine, for people. */
    static String server(int port) {
        try {
            return InetAddress.getLocalHost().getHostName() + ":" + port;
        } catch (UnknownHostException e) {
            return "localhost:" + port; // this machine has no name
        }
    }

    /** Returns the answer to SHOW AUDIT. */
    static Answer.Texts latest(Audit audit) {
        return new Answer.Texts(
                AuditEntry.HEADINGS,
                () -> audit.last(Audit.SHOWN).stream().map(AuditEntry::row).toList());
    }

    /** Records wrong logins. A failure to record is reported. */
    static Access.Refusals logins(Audit audit, String server) {
        return (name, address) -> {
            try {
                audit.write(AuditEntry.refusedLogin(Clock.SYSTEM, server, name, address));
            } catch (WeirException e) {
                LOG.warn("a refused login was not noted: {}", e.getMessage());
            }
        };
    }
}
