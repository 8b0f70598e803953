package io.weir.sql.catalog;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** A catalogue over another one answers nothing by a default of {@link Catalog}. */
class ForwardingCatalogTest {
    @Test
    void eachQuestionGoesToTheCatalogBelow() {
        for (Method asked : Catalog.class.getMethods()) {
            assertDoesNotThrow(
                    () ->
                            ForwardingCatalog.class.getDeclaredMethod(
                                    asked.getName(), asked.getParameterTypes()));
        }
    }
}
