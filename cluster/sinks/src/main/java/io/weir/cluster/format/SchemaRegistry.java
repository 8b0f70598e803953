package io.weir.cluster.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.cluster.sink.JsonText;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A schema registry with Confluent's REST interface. It gives each schema a number; the same schema
 * has the same number. Thread-safe.
 */
public final class SchemaRegistry {
    /** The environment variable for {@code user:password}, if the registry needs them. */
    public static final String LOGIN_VARIABLE = "WEIR_REGISTRY_LOGIN";

    private static final String TYPE = "application/vnd.schemaregistry.v1+json";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int ATTEMPTS = 3;
    private static final Duration AWAY = Duration.ofSeconds(4);
    private static final int MOST_KNOWN = 10_000;

    /** The time before which the registry is not asked, and the reason. */
    private record Away(long untilNs, String problem) {}

    private final URI url;
    private final Optional<String> login;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private final Clock clock;
    private volatile Away away;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    /**
     * @param url http or https, without a login in it
     */
    public SchemaRegistry(String url, Optional<String> login) {
        this(url, login, Clock.SYSTEM);
    }

    SchemaRegistry(String url, Optional<String> login, Clock clock) {
        this.clock = clock;
        this.url = checked(url);
        this.login = login;
    }

    private static URI checked(String url) {
        try {
            URI uri = URI.create(url.endsWith("/") ? url : url + "/");
            if (String.valueOf(uri.getScheme()).matches("https?")
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw wrong();
        }
        throw wrong();
    }

    /** The error does not repeat the URL: somebody may have put a password there. */
    private static WeirException wrong() {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                "the URL of the registry is not of the form http[s]://HOST[:PORT][/PATH]",
                "user and password come from " + LOGIN_VARIABLE);
    }

    /**
     * Returns the number of a schema. Throws UNWRITABLE_OUTPUT when the registry refuses it, or
     * does not answer three times. Then it is not asked again for some seconds. So an absent
     * registry delays nobody longer, however many schemas there are. A registry that answers 500 is
     * there: some do that for a schema that they cannot compare with the one before.
     */
    int register(String subject, RowFormat format, String schema) {
        String type = format == RowFormat.PROTOBUF ? "\"schemaType\":\"PROTOBUF\"," : "";
        String body = "{" + type + "\"schema\":" + JsonText.quote(schema) + "}";
        String key = subject + " " + body;
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        Away last = away;
        if (last != null && clock.nanos() - last.untilNs() < 0) {
            throw failure(subject, last.problem());
        }
        int number = ask(subject, request(subject, body));
        if (numbers.size() >= MOST_KNOWN) {
            numbers.clear();
        }
        numbers.put(key, number);
        return number;
    }

    private HttpRequest request(String subject, String body) {
        String name = URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url.resolve("subjects/" + name + "/versions"))
                        .timeout(PATIENCE)
                        .header("Content-Type", TYPE)
                        .header("Accept", TYPE)
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        login.map(l -> Base64.getEncoder().encodeToString(l.getBytes(StandardCharsets.UTF_8)))
                .ifPresent(l -> request.header("Authorization", "Basic " + l));
        return request.build();
    }

    private int ask(String subject, HttpRequest request) {
        String problem = "";
        boolean answered = false;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            answered = false;
            try {
                HttpResponse<String> response =
                        http.send(request, HttpResponse.BodyHandlers.ofString());
                int status = response.statusCode();
                if (status == 200) {
                    int number = id(response.body());
                    away = null;
                    return number;
                }
                problem = ("it answers " + status + " " + message(response.body())).strip();
                if (status < 500) {
                    throw new WeirException(
                            ErrorCode.UNWRITABLE_OUTPUT, said(subject, problem), hint(status));
                }
                answered = status == 500;
            } catch (IOException e) {
                problem = e.getMessage() == null ? "no connection" : e.getMessage();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failure(subject, "interrupted");
            }
        }
        if (!answered) { // its own fault may concern only this schema, and is reported at once
            away = new Away(clock.nanos() + AWAY.toNanos(), problem);
        }
        throw failure(subject, problem);
    }

    private WeirException failure(String subject, String problem) {
        return new WeirException(ErrorCode.UNWRITABLE_OUTPUT, said(subject, problem));
    }

    private String said(String subject, String problem) {
        return "the schema of " + subject + " cannot be registered at " + url + ": " + problem;
    }

    private static String hint(int status) {
        return switch (status) {
            case 401, 403 -> "user:password comes from " + LOGIN_VARIABLE;
            case 404, 405 ->
                    "give the URL of Confluent's interface, with its path: Apicurio's is"
                            + " http://HOST:PORT/apis/ccompat/v7";
            case 409 ->
                    "its rule for this subject forbids this schema after the last one: add only"
                            + " columns that can be NULL, at the end, or name the query otherwise,"
                            + " or change the rule";
            default -> null;
        };
    }

    private static int id(String body) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(body)) {
            if (member(json, "id")
                    && json.currentToken() == JsonToken.VALUE_NUMBER_INT
                    && json.getIntValue() >= 0) {
                return json.getIntValue();
            }
        } catch (JsonProcessingException e) {
            throw new IOException("its answer does not come from a registry", e);
        }
        throw new IOException("no id in its answer");
    }

    private static String message(String body) {
        try (JsonParser json = new JsonFactory().createParser(body)) {
            return member(json, "message") ? json.getText() : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Moves to the member's value. */
    private static boolean member(JsonParser json, String name) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = json.currentName().equals(name);
            json.nextToken();
            if (wanted) {
                return true;
            }
            json.skipChildren();
        }
        return false;
    }
}
