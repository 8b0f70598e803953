package io.weir.cluster.format;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The form of a row as the value of its record. */
public enum RowFormat {
    JSON,
    AVRO,
    PROTOBUF;

    /** Returns the name that users write and that a record's header has. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<RowFormat> find(String text) {
        return Arrays.stream(values()).filter(format -> format.text().equals(text)).findFirst();
    }

    /** Throws INVALID_OPTION. */
    public static RowFormat parse(String text) {
        List<String> all = Arrays.stream(values()).map(RowFormat::text).toList();
        return find(text)
                .orElseThrow(
                        () ->
                                new WeirException(
                                        ErrorCode.INVALID_OPTION,
                                        "'" + text + "' is no format of rows",
                                        "there are " + String.join(", ", all)));
    }
}
