package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.error.WeirException.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A configuration file: sections, and lines of {@code key = value} in them. It knows no keys;
 * {@link ConfiguredArguments} knows them. Each error names the file and the line.
 */
final class ConfigFile {
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_CHARACTERS = 4_096;
    private static final String FORM = "key = value, [section], or a comment that begins with #";

    private final Path path;
    private final List<String> lines;
    private final Map<String, Section> sections = new LinkedHashMap<>();

    /**
     * A value of a section.
     *
     * @param line from 1
     */
    record Entry(String key, String value, int line) {}

    /**
     * A section.
     *
     * @param line of its name, from 1
     */
    record Section(String name, int line, List<Entry> entries) {}

    private ConfigFile(Path path, String text) {
        this.path = path;
        this.lines = text.replace("\r\n", "\n").lines().toList();
    }

    /**
     * Reads a file whose sections have these names.
     *
     * @throws WeirException UNREADABLE_INPUT, or INVALID_OPTION with the place of a mistake
     */
    static ConfigFile read(Path path, List<String> names) {
        ConfigFile file = new ConfigFile(path, text(path));
        Section open = null;
        for (int line = 1; line <= file.lines.size(); line++) {
            String text = file.checked(line).strip();
            if (text.startsWith("[")) {
                open = file.open(text, line, names);
            } else if (!text.isEmpty() && !text.startsWith("#")) {
                Entry entry = file.entry(text, line);
                if (open == null) {
                    throw file.wrong(
                            "a key stands before the first section",
                            line,
                            1,
                            "the sections are " + bracketed(names));
                }
                open.entries().add(entry);
            }
        }
        return file;
    }

    private static String text(Path path) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT,
                    "the configuration file " + path + " cannot be read: " + reason(e),
                    "name it with --config FILE");
        }
        if (bytes.length > MOST_BYTES) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, path + " is longer than " + MOST_BYTES + " bytes");
        }
        ByteBuffer left = ByteBuffer.wrap(bytes);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(left).toString();
        } catch (CharacterCodingException e) {
            String read = new String(bytes, 0, left.position(), StandardCharsets.UTF_8);
            long line = 1 + read.chars().filter(c -> c == '\n').count();
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    path + " is no text in UTF-8, from line " + line + " on");
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        } else if (e instanceof AccessDeniedException) {
            return "it may not be read";
        }
        return e.getMessage();
    }

    /** Returns a line that is neither too long, nor has characters that a terminal obeys. */
    private String checked(int line) {
        String text = lines.get(line - 1);
        if (text.length() > MOST_CHARACTERS) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    path + ": line " + line + " is longer than " + MOST_CHARACTERS + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i)) && text.charAt(i) != '\t') {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "%s: line %d has the character U+%04X"
                                .formatted(path, line, (int) text.charAt(i)));
            }
        }
        return text;
    }

    private Section open(String text, int line, List<String> names) {
        if (!text.endsWith("]")) {
            throw wrong("a section's name ends with ]", line, 1, FORM);
        }
        String name = text.substring(1, text.length() - 1).strip();
        if (!names.contains(name)) {
            String known = "the sections are " + bracketed(names);
            throw wrong(
                    "there is no section [" + name + "]",
                    line,
                    1,
                    Suggestion.hint(name, names, known));
        }
        Section section = new Section(name, line, new ArrayList<>());
        Section before = sections.putIfAbsent(name, section);
        if (before != null) {
            throw wrong("[" + name + "] begins in line " + before.line() + " already", line, 1, "");
        }
        return section;
    }

    private Entry entry(String text, int line) {
        int equals = text.indexOf('=');
        if (equals <= 0) {
            throw wrong("this is no key with a value", line, 1, FORM);
        }
        Entry entry =
                new Entry(
                        text.substring(0, equals).strip(),
                        text.substring(equals + 1).strip(),
                        line);
        if (entry.value().isEmpty()) {
            throw wrong(entry.key() + " has no value", line, 1, "a # before it makes it a comment");
        } else if (entry.value().matches(".*\\s#.*") || entry.value().startsWith("#")) {
            throw wrong(
                    "a comment cannot follow a value", line, 1, "put the comment on its own line");
        }
        return entry;
    }

    private static String bracketed(List<String> names) {
        return "[" + String.join("], [", names) + "]";
    }

    /** Returns the entries of a section in their order; none if it is missing. */
    List<Entry> entries(String section) {
        Section found = sections.get(section);
        return found == null ? List.of() : List.copyOf(found.entries());
    }

    List<String> sections() {
        return List.copyOf(sections.keySet());
    }

    Path path() {
        return path;
    }

    /** Makes the error of an entry; its place is the value. */
    WeirException wrong(String message, Entry entry, String hint) {
        String text = lines.get(entry.line() - 1);
        int value = text.indexOf(entry.value(), text.indexOf('=') + 1);
        return wrong(message, entry.line(), value + 1, hint);
    }

    /**
     * Makes the error of a line.
     *
     * @param column from 1
     * @param hint may be empty
     */
    WeirException wrong(String message, int line, int column, String hint) {
        Place place = Place.in(String.join("\n", lines), line, column);
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                path + ": " + message,
                place,
                hint.isEmpty() ? null : hint);
    }
}
