package io.weir.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Writes maps as JSON text, a line for each member. Numbers are Long or Double. A value that was
 * not measured (NaN) is null. Stateless.
 */
final class Json {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_LONG_FOR_INTS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .addModule(new SimpleModule().addSerializer(Double.class, new Figure()))
                    .build();

    private Json() {}

    @SuppressWarnings("unchecked")
    static Map<String, Object> read(Path file) throws IOException {
        return MAPPER.readValue(file.toFile(), Map.class);
    }

    static void write(Map<String, Object> value, Path file) throws IOException {
        Files.writeString(file, writer().writeValueAsString(value) + "\n");
    }

    private static ObjectWriter writer() {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter(
                        Separators.createDefaultInstance()
                                .withObjectFieldValueSpacing(Spacing.AFTER)
                                .withArrayEmptySeparator(""));
        printer.indentObjectsWith(lines);
        printer.indentArraysWith(lines);
        return MAPPER.writer(printer);
    }

    /** A measurement has at most four digits. */
    private static final class Figure extends JsonSerializer<Double> {
        @Override
        public void serialize(Double figure, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            if (Double.isFinite(figure)) {
                json.writeNumber(String.format(Locale.ROOT, "%.4f", figure));
            } else {
                json.writeNull();
            }
        }
    }
}
