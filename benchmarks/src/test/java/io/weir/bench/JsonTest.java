package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesWhatResultsAreMadeOf() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a \"b\" \\ \n");
        map.put("rows", List.of(Map.of("rate", 1.5), List.of()));
        map.put("absent", Double.NaN);
        map.put("count", 3L);
        map.put("ok", true);
        String expected =
                """
                {
                  "text": "a \\"b\\" \\\\ \\u000a",
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
        assertEquals(expected, Json.write(map));
        map.put("absent", null);
        assertEquals(map, JsonReader.read(expected));
    }

    @Test
    void whatIsNotJsonIsNamedByItsPlace() {
        for (String wrong : List.of("", "{", "[1,]", "{\"a\" 1}", "tru", "1 2", "\"\\u12\"")) {
            IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> JsonReader.read(wrong));
            assertTrue(error.getMessage().startsWith("JSON: "), wrong);
        }
        assertEquals(List.of(-1L, 2.5e3, "é"), JsonReader.read(" [ -1 , 2.5e3 , \"\\u00e9\" ] "));
    }

    @Test
    void theMedianIsTheMiddle() {
        assertEquals(2.0, Median.of(List.of(9.0, 1.0, 2.0)));
        assertEquals(1.5, Median.of(List.of(1.0, 2.0)));
        assertEquals(Double.NaN, Median.of(List.of()));
    }
}
