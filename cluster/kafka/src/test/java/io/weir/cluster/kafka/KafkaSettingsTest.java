package io.weir.cluster.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {
    @TempDir private Path directory;

    @Test
    void theEnvironmentOverridesTheFile() throws IOException {
        Path file = file("security.protocol=SASL_SSL\nsasl.jaas.config=from file\n");
        KafkaSettings settings =
                KafkaSettings.of(
                        "a:1,b:2",
                        Optional.of(file),
                        Map.of(
                                "WEIR_KAFKA_SASL_JAAS_CONFIG", "hush",
                                "WEIR_KAFKA_CONFIG", "not this one",
                                "WEIR_HOME", "/"));
        Map<String, Object> client = settings.client("me");
        assertEquals("SASL_SSL", client.get("security.protocol"));
        assertEquals("hush", client.get("sasl.jaas.config"));
        assertEquals("a:1,b:2", client.get("bootstrap.servers"));
        assertFalse(settings.toString().contains("hush"));
    }

    @Test
    void theFileCanBeNamedByTheEnvironment() throws IOException {
        String file = file("ssl.truststore.location=x\n").toString();
        KafkaSettings settings =
                KafkaSettings.of(
                        "a:1", Optional.empty(), Map.of(KafkaSettings.FILE_VARIABLE, file));
        assertEquals("x", settings.client("me").get("ssl.truststore.location"));
    }

    /** Kafka repeats what it was given when it does not like it. */
    @Test
    void whatKafkaSaysIsShownWithoutSecrets() throws IOException {
        Path file =
                file(
                        """
                        security.protocol=SASL_PLAINTEXT
                        sasl.jaas.config=a.b.Login required password="hush-hush" x;
                        ssl.key.password=s3cret
                        """);
        KafkaSettings settings = KafkaSettings.of("a:1", Optional.of(file), Map.of());
        String shown = settings.withoutSecrets("bad value hush-hush in s3cret");
        assertEquals("bad value *** in ***", shown);
        WeirException e = assertThrows(WeirException.class, () -> Topics.ensure(settings));
        assertFalse(e.text().contains("hush"), e.text());
        assertFalse(e.text().contains("s3cret"), e.text());
    }

    @Test
    void otherKeysAreRefusedWithoutTheirValues() throws IOException {
        Path file = file("password=hush\n");
        WeirException e =
                assertThrows(
                        WeirException.class,
                        () -> KafkaSettings.of("a:1", Optional.of(file), Map.of()));
        assertEquals(ErrorCode.INVALID_OPTION, e.code());
        assertFalse(e.text().contains("hush"), e.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a:", "a:1,", "http://a:1", "a:1 b:2"})
    void whatIsNoAddressIsRefused(String bootstrap) {
        assertThrows(WeirException.class, () -> KafkaSettings.of(bootstrap));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("kafka.properties"), text);
    }
}
