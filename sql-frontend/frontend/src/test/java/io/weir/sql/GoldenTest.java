package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class GoldenTest {
    @TestFactory
    Stream<DynamicTest> plans() throws IOException {
        return cases("plans.txt");
    }

    @TestFactory
    Stream<DynamicTest> errors() throws IOException {
        return cases("errors.txt");
    }

    @TestFactory
    Stream<DynamicTest> equery() throws IOException {
        return cases("equery.txt");
    }

    private static Stream<DynamicTest> cases(String file) throws IOException {
        return Golden.cases(file).stream()
                .map(
                        c ->
                                DynamicTest.dynamicTest(
                                        c.text().lines().findFirst().orElse("(empty)"),
                                        () ->
                                                assertEquals(
                                                        c.expected(), Golden.outcome(c.text()))));
    }
}
