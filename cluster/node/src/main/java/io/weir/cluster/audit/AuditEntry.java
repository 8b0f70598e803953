package io.weir.cluster.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.security.User;
import io.weir.operators.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A statement with its user and its outcome, as a JSON object for every consumer.
 *
 * @param statement as it was written, without its secrets; empty for a login
 * @param outcome {@code ok}, {@code begun} (rows flow from then on), or an error's code
 * @param version of the query, if it has a new one
 * @param client address of a refused login; empty otherwise
 */
public record AuditEntry(
        Instant time,
        String server,
        String user,
        String statement,
        String outcome,
        OptionalLong version,
        String client) {
    public static final String OK = "ok";
    public static final String BEGUN = "begun";
    public static final List<String> HEADINGS =
            List.of("time", "server", "user", "outcome", "version", "statement", "client");

    private static final int FORMAT = 1;
    private static final int LONGEST_STATEMENT = 16_384;
    private static final int LONGEST_NAME = 64;
    private static final JsonFactory JSON = new JsonFactory();

    /** Makes an entry with the present time of a clock. */
    public static AuditEntry of(
            Clock clock,
            String server,
            User user,
            String sql,
            String outcome,
            OptionalLong version) {
        return new AuditEntry(now(clock), server, user.name(), cut(sql), outcome, version, "");
    }

    /** Makes the entry of a refused login; the name is the claimed one. */
    public static AuditEntry refusedLogin(Clock clock, String server, String name, String client) {
        String shown = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        return new AuditEntry(
                now(clock), server, shown, "", "NOT_AUTHENTICATED", OptionalLong.empty(), client);
    }

    private static Instant now(Clock clock) {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static String cut(String sql) {
        String shown = Redaction.of(sql);
        return shown.length() <= LONGEST_STATEMENT
                ? shown
                : shown.substring(0, LONGEST_STATEMENT) + " … (" + shown.length() + " characters)";
    }

    /** Returns the note for a topic. */
    public AuditNoting.Note note() {
        return new AuditNoting.Note(user, time.toEpochMilli(), json());
    }

    /** Returns one line. */
    public byte[] json() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("format", FORMAT);
            json.writeStringField("time", time.toString());
            json.writeStringField("server", server);
            json.writeStringField("user", user);
            json.writeStringField("statement", statement);
            json.writeStringField("outcome", outcome);
            if (version.isPresent()) {
                json.writeNumberField("version", version.getAsLong());
            }
            if (!client.isEmpty()) {
                json.writeStringField("client", client);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory
        }
        return bytes.toByteArray();
    }

    /** Returns empty if the text is no entry, or has an unknown format. */
    public static Optional<AuditEntry> parse(byte[] text) {
        Draft draft = new Draft();
        try (JsonParser parser = JSON.createParser(new String(text, StandardCharsets.UTF_8))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                draft.put(parser.currentName(), parser);
            }
            return draft.entry();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The fields read so far. */
    private static final class Draft {
        private int format;
        private Instant time;
        private String server;
        private String user;
        private String statement;
        private String outcome;
        private OptionalLong version = OptionalLong.empty();
        private String client = "";

        void put(String name, JsonParser parser) throws IOException {
            parser.nextToken();
            switch (name) {
                case "format" -> format = parser.getIntValue();
                case "time" -> time = Instant.parse(parser.getText());
                case "server" -> server = parser.getText();
                case "user" -> user = parser.getText();
                case "statement" -> statement = parser.getText();
                case "outcome" -> outcome = parser.getText();
                case "version" -> version = OptionalLong.of(parser.getLongValue());
                case "client" -> client = parser.getText();
                default -> parser.skipChildren();
            }
        }

        Optional<AuditEntry> entry() {
            boolean whole =
                    format == FORMAT
                            && time != null
                            && server != null
                            && user != null
                            && statement != null
                            && outcome != null;
            return whole
                    ? Optional.of(
                            new AuditEntry(time, server, user, statement, outcome, version, client))
                    : Optional.empty();
        }
    }

    /** Returns the row of SHOW AUDIT. */
    public List<String> row() {
        return List.of(
                time.toString(),
                server,
                user,
                outcome,
                version.isPresent() ? Long.toString(version.getAsLong()) : "",
                statement.strip().replaceAll("\\s+", " "),
                client);
    }
}
