package io.weir.operators.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class WeirExceptionTest {
    @Test
    void pointsAtThePlace() {
        String sql = "SELECT src_addr\nFROM\tpakets";
        WeirException error =
                new WeirException(
                        ErrorCode.UNKNOWN_STREAM,
                        "there is no stream 'pakets'",
                        WeirException.Place.in(sql, 2, 6),
                        "did you mean packets?");
        assertEquals(
                """
                error UNKNOWN_STREAM: there is no stream 'pakets' (line 2, column 6)
                  FROM\tpakets
                      \t^
                hint: did you mean packets?""",
                error.text());
    }

    @Test
    void aPlaceOutsideTheTextIsNoError() {
        assertEquals("\n^", WeirException.Place.in("", 7, 99).excerpt());
    }
}
