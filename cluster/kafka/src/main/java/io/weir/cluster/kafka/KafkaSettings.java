package io.weir.cluster.kafka;

import io.weir.cluster.format.RowFormats;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * The address of Kafka and the client's security settings. Secrets come from a file or from the
 * environment, never from the command line. They are in no text of this object.
 */
public final class KafkaSettings {
    /** The shards of a cluster that chose no other number: parts of a merge's groups. */
    public static final int SHARDS = 4;

    /** Each shard is a task of the merge, and each worker sends messages to each. */
    public static final int MOST_SHARDS = 256;

    /**
     * The variable that names the file with Kafka's client properties, as {@code --kafka-config}
     * does.
     */
    public static final String FILE_VARIABLE = "WEIR_KAFKA_CONFIG";

    /** The prefix: {@code WEIR_KAFKA_SASL_JAAS_CONFIG} is {@code sasl.jaas.config}, and so on. */
    private static final String PREFIX = "WEIR_KAFKA_";

    private static final Pattern SECURITY = Pattern.compile("(security|ssl|sasl)\\..+");
    private static final Pattern SECRET = Pattern.compile("password|jaas|key|secret|token");
    private static final int SHORTEST_SECRET = 4;
    private static final int MOST_PORT = 65_535;
    private static final Pattern BOOTSTRAP =
            Pattern.compile(
                    "([^\\s,:/]+|\\[[0-9a-fA-F:.]+]):\\d{1,5}(,([^\\s,:/]+|\\[[^]]+]):\\d{1,5})*");

    private final String bootstrap;
    private final Map<String, String> security;
    private final RowFormats rows;
    private final Clock clock;
    private final int shards;

    private KafkaSettings(
            String bootstrap,
            Map<String, String> security,
            RowFormats rows,
            Clock clock,
            int shards) {
        this.bootstrap = bootstrap;
        this.security = Map.copyOf(security);
        this.rows = rows;
        this.clock = clock;
        this.shards = shards;
    }

    /** Makes the settings for a Kafka without authentication. */
    public static KafkaSettings of(String bootstrap) {
        return of(bootstrap, Optional.empty(), Map.of());
    }

    /**
     * @param bootstrap HOST:PORT, several separated by commas
     * @param file of Kafka's client properties; only security.*, ssl.* and sasl.* are allowed
     * @param environment whose WEIR_KAFKA_SSL_…, …_SASL_… and …_SECURITY_… override the file's
     * @throws WeirException INVALID_OPTION; it names a key at most, never its value
     */
    public static KafkaSettings of(
            String bootstrap, Optional<Path> file, Map<String, String> environment) {
        if (!isAddress(bootstrap)) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "'" + bootstrap + "' is no address of Kafka",
                    "HOST:PORT, several with commas between");
        }
        Map<String, String> security = new TreeMap<>();
        file.or(() -> Optional.ofNullable(environment.get(FILE_VARIABLE)).map(Path::of))
                .ifPresent(path -> security.putAll(read(path)));
        environment.forEach(
                (name, value) -> {
                    String key = key(name);
                    if (SECURITY.matcher(key).matches()) {
                        security.put(key, value);
                    }
                });
        return new KafkaSettings(bootstrap, security, RowFormats.PLAIN, Clock.SYSTEM, SHARDS);
    }

    private static boolean isAddress(String bootstrap) {
        return BOOTSTRAP.matcher(bootstrap).matches()
                && Arrays.stream(bootstrap.split(","))
                        .map(one -> Integer.parseInt(one.substring(one.lastIndexOf(':') + 1)))
                        .allMatch(port -> port > 0 && port <= MOST_PORT);
    }

    private static String key(String variable) {
        return variable.startsWith(PREFIX)
                ? variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.')
                : "";
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    file + " cannot be read",
                    "it has Kafka's client properties: docs/CLUSTER.md, Security");
        }
        Map<String, String> read = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (!SECURITY.matcher(key).matches()) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        file + " sets " + key,
                        "only security.*, ssl.* and sasl.* may be there");
            }
            read.put(key, properties.getProperty(key));
        }
        return read;
    }

    /** Throws INVALID_OPTION if a cluster cannot have so many shards. */
    public static void checkShards(int shards) {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--shards " + shards + ": it is from 1 to " + MOST_SHARDS);
        }
    }

    /** Returns the same settings with another format of result rows. */
    public KafkaSettings with(RowFormats other) {
        return new KafkaSettings(bootstrap, security, other, clock, shards);
    }

    /** Returns the same settings with another clock. */
    public KafkaSettings with(Clock other) {
        return new KafkaSettings(bootstrap, security, rows, other, shards);
    }

    /**
     * Returns the same settings for a cluster with another number of shards.
     *
     * @throws WeirException INVALID_OPTION
     */
    public KafkaSettings withShards(int other) {
        checkShards(other);
        return new KafkaSettings(bootstrap, security, rows, clock, other);
    }

    /**
     * Returns the number of parts that a merge's groups are spread over. It is chosen when a
     * cluster is made. {@link Topics#ensure} compares it with the cluster's.
     */
    public int shards() {
        return shards;
    }

    /**
     * Returns the clock for heartbeats, retries and the age of records. Waits that block a thread
     * are timed by the machine's clock.
     */
    public Clock clock() {
        return clock;
    }

    /** Returns the format of result rows. */
    public RowFormats rows() {
        return rows;
    }

    public String bootstrap() {
        return bootstrap;
    }

    /** Returns the configuration of every Kafka client, in a map that the caller owns. */
    public Map<String, Object> client(String clientId) {
        Map<String, Object> config = new HashMap<>(security);
        config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        config.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        config.put("enable.metrics.push", false);
        return config;
    }

    /** Removes our secrets from a text of Kafka's or of the JDK's, which may repeat them. */
    public String withoutSecrets(String text) {
        String shown = text;
        for (Map.Entry<String, String> entry : security.entrySet()) {
            if (SECRET.matcher(entry.getKey()).find()) {
                shown = without(shown, entry.getValue());
                for (String word : entry.getValue().split("[\\s=;\"']+")) {
                    shown = word.length() < SHORTEST_SECRET ? shown : without(shown, word);
                }
            }
        }
        return shown;
    }

    private static String without(String text, String secret) {
        return secret.isEmpty() ? text : text.replace(secret, "***");
    }

    /** The text has no secrets. */
    @Override
    public String toString() {
        return "Kafka at " + bootstrap;
    }
}
