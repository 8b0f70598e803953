package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void theMedianIsTheMiddle() {
        assertEquals(2.0, Median.of(List.of(9.0, 1.0, 2.0)));
        assertEquals(1.5, Median.of(List.of(1.0, 2.0)));
        assertEquals(Double.NaN, Median.of(List.of()));
    }
}
