package io.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The text between two lines of a document, which a command can replace.
 *
 * @param begin the line before it, with its end
 * @param end the line after it
 */
record MarkedText(String begin, String end) {

    /** Throws IllegalStateException when the document lacks a line. */
    String in(String document) {
        return document.substring(begin(document), end(document));
    }

    /** Replaces the text. */
    void write(String text, Path file) throws IOException {
        String document = Files.readString(file);
        String before = document.substring(0, begin(document));
        Files.writeString(file, before + text + document.substring(end(document)));
    }

    private int begin(String document) {
        return at(begin, document) + begin.length();
    }

    private int end(String document) {
        return at(end, document);
    }

    private static int at(String line, String document) {
        int at = document.indexOf(line);
        if (at < 0) {
            throw new IllegalStateException("the document lacks the line " + line);
        }
        return at;
    }
}
