package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.gpv.BlockLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The baselines in C++ read the blocks that Weir writes. */
class TraceLayoutTest {
    private static int constant(String name) throws IOException {
        String source = Files.readString(Path.of("native/trace.hpp"));
        Matcher found = Pattern.compile(name + " = (\\d+);").matcher(source);
        return found.find() ? Integer.parseInt(found.group(1)) : -1;
    }

    @Test
    void headersAreAsLongAsInJava() throws IOException {
        assertEquals(BlockLayout.HEADER_BYTES, constant("kBlockHeader"));
        assertEquals(BlockLayout.SEGMENT_HEADER_BYTES, constant("kSegmentHeader"));
    }
}
