package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonTest {
    @TempDir private Path directory;

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Path file = directory.resolve("results.json");
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a \"b\" \\ \n");
        map.put("rows", List.of(Map.of("rate", 1.5), List.of()));
        map.put("absent", Double.NaN);
        map.put("count", 3L);
        map.put("ok", true);
        Json.write(map, file);
        String expected =
                """
                {
                  "text": "a \\"b\\" \\\\ \\n",
                  "rows": [
                    {
                      "rate": 1.5000
                    },
                    []
                  ],
                  "absent": null,
                  "count": 3,
                  "ok": true
                }
                """;
        assertEquals(expected, Files.readString(file));
        map.put("absent", null);
        assertEquals(map, Json.read(file));
    }

    @Test
    void whatIsNotJsonIsNamedByItsPlace() throws IOException {
        Path file = directory.resolve("wrong.json");
        for (String wrong : List.of("{", "{\"a\" 1}", "{\"a\": tru}", "{} 2", "[1]")) {
            Files.writeString(file, wrong);
            IOException error = assertThrows(IOException.class, () -> Json.read(file), wrong);
            assertTrue(error.getMessage().contains("line: 1, column: "), error.getMessage());
        }
    }
}
