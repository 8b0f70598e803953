package io.weir.cluster.broker;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.security.TestCertificates;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real broker with TLS, SCRAM-SHA-512 and Kafka's StandardAuthorizer, which lets nobody do what
 * no ACL allows.
 */
public final class SecuredBroker implements AutoCloseable {
    private static final String ADMIN = "admin";
    private static final String ADMIN_PASSWORD = "admin-hush-hush";
    private static final int ROUNDS = 4096;

    private final Path directory;
    private final TestCertificates certificates;
    private final BrokerSettings settings;
    private final KafkaRaftServer server;

    public SecuredBroker(Path directory) throws Exception {
        this(directory, Map.of());
    }

    /**
     * @param more settings of the broker, in place of ours
     */
    public SecuredBroker(Path directory, Map<String, String> more) throws Exception {
        this.directory = Files.createDirectories(directory);
        this.certificates = new TestCertificates(directory);
        Path logs = directory.resolve("logs");
        this.settings =
                BrokerSettings.alone(EmbeddedBroker.freePort(), EmbeddedBroker.freePort(), logs);
        new Formatter()
                .setNodeId(settings.id())
                .setClusterId(BrokerSettings.clusterId())
                .setControllerListenerName("CONTROLLER")
                .addDirectory(logs.toString())
                .setMetadataLogDirectory(logs.toString())
                .setHasDynamicQuorum(false)
                .setScramArguments(
                        List.of(
                                "SCRAM-SHA-512=[name="
                                        + ADMIN
                                        + ",password="
                                        + ADMIN_PASSWORD
                                        + "]"))
                .setPrintStream(
                        new PrintStream(
                                OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run();
        Map<String, String> all = properties();
        all.putAll(more);
        server = new KafkaRaftServer(KafkaConfig.apply(all, false), Time.SYSTEM);
        server.startup();
    }

    /** Controllers speak in the clear here; whoever is nobody can reach only them. */
    private Map<String, String> properties() {
        Map<String, String> p = settings.properties();
        p.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,CLIENTS:SASL_SSL");
        p.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
        p.put("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512");
        p.put("listener.name.clients.scram-sha-512.sasl.jaas.config", jaas(ADMIN, ADMIN_PASSWORD));
        p.put("ssl.keystore.type", "PKCS12");
        p.put("ssl.keystore.location", certificates.keyStore.toString());
        p.put("ssl.keystore.password", TestCertificates.PASSWORD);
        p.put("ssl.truststore.type", "PEM");
        p.put("ssl.truststore.location", certificates.certificate.toString());
        p.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        p.put("super.users", "User:" + ADMIN + ";User:ANONYMOUS");
        return p;
    }

    private static String jaas(String user, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\""
                + user
                + "\" password=\""
                + password
                + "\";";
    }

    public String bootstrap() {
        return settings.host() + ":" + settings.port();
    }

    /** A file for {@code --kafka-config}. */
    public Path clientFile(String user, String password) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("security.protocol=SASL_SSL");
        lines.add("sasl.mechanism=SCRAM-SHA-512");
        lines.add("sasl.jaas.config=" + jaas(user, password));
        lines.add("ssl.truststore.type=PEM");
        lines.add("ssl.truststore.location=" + certificates.certificate);
        return Files.write(directory.resolve(user + password.length() + ".properties"), lines);
    }

    public KafkaSettings client(String user, String password) throws IOException {
        return KafkaSettings.of(bootstrap(), Optional.of(clientFile(user, password)), Map.of());
    }

    /** The same with a key store of the client's own. */
    public Path clientFileWithKey(String user, String password) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(clientFile(user, password)));
        lines.add("ssl.keystore.type=PKCS12");
        lines.add("ssl.keystore.location=" + certificates.keyStore);
        lines.add("ssl.keystore.password=" + TestCertificates.PASSWORD);
        return Files.write(directory.resolve(user + "-with-key.properties"), lines);
    }

    /** What somebody may do. */
    public record Allowed(
            ResourceType type, String name, PatternType pattern, List<AclOperation> operations) {
        public Allowed(
                ResourceType type, String name, PatternType pattern, AclOperation... operations) {
            this(type, name, pattern, List.of(operations));
        }
    }

    public void addUser(String name, String password, List<Allowed> allowed) throws Exception {
        try (Admin admin = admin()) {
            KafkaCalls.await(
                    admin.alterUserScramCredentials(
                                    List.of(
                                            new UserScramCredentialUpsertion(
                                                    name,
                                                    new ScramCredentialInfo(
                                                            ScramMechanism.SCRAM_SHA_512, ROUNDS),
                                                    password)))
                            .all());
        }
        allow(name, allowed);
    }

    public void allow(String user, List<Allowed> allowed) throws Exception {
        try (Admin admin = admin()) {
            KafkaCalls.await(admin.createAcls(acls(user, allowed)).all());
        }
    }

    /** Takes away what was allowed in the same words. */
    public void forbid(String user, List<Allowed> allowed) throws Exception {
        try (Admin admin = admin()) {
            var these = acls(user, allowed).stream().map(AclBinding::toFilter).toList();
            var unused = KafkaCalls.await(admin.deleteAcls(these).all());
        }
    }

    private Admin admin() throws IOException {
        return Admin.create(client(ADMIN, ADMIN_PASSWORD).client("test"));
    }

    private static List<AclBinding> acls(String user, List<Allowed> allowed) {
        List<AclBinding> acls = new ArrayList<>();
        for (Allowed one : allowed) {
            for (AclOperation operation : one.operations()) {
                acls.add(
                        new AclBinding(
                                new ResourcePattern(one.type(), one.name(), one.pattern()),
                                new AccessControlEntry(
                                        "User:" + user, "*", operation, AclPermissionType.ALLOW)));
            }
        }
        return acls;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
