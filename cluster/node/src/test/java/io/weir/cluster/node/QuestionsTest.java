package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.table.TableFolders;
import io.weir.ingest.source.SourceSpec;
import io.weir.sql.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The statements of docs/QUESTIONS.md over the demo's capture. {@code src/test/questions} has the
 * answers: those of SQLite over packets that tshark decoded.
 */
class QuestionsTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "QUESTIONS.md");
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");
    private static final Path FOLDER = Path.of("src", "test", "questions");
    private static final Pattern QUESTION =
            Pattern.compile("(?ms)^\\*\\*(\\d+)\\. ([^*]+)\\*\\*\n\n```(?:sql)?\n(.*?);\n```$");

    private record Question(int number, String text, String sql) {}

    private static List<Question> questions() throws IOException {
        List<Question> questions = new ArrayList<>();
        Matcher found = QUESTION.matcher(Files.readString(PAGE));
        while (found.find()) {
            int number = Integer.parseInt(found.group(1));
            questions.add(new Question(number, found.group(2), found.group(3)));
        }
        return questions;
    }

    @TestFactory
    Stream<DynamicTest> eachHasItsAnswer() throws IOException {
        return questions().stream()
                .map(
                        one ->
                                DynamicTest.dynamicTest(
                                        one.number() + ". " + one.text(), () -> check(one)));
    }

    @Test
    void thereAreFifty() throws IOException {
        List<Integer> numbers = questions().stream().map(Question::number).toList();
        assertEquals(Stream.iterate(1, n -> n + 1).limit(50).toList(), numbers);
    }

    /** The last statement is the answer; one before it makes a table. */
    private static void check(Question question) {
        int last = question.sql().lastIndexOf(";\n") + 1;
        String answer = String.format("%02d.csv", question.number());
        String test =
                question.sql().substring(0, last)
                        + " TEST QUERY "
                        + question.sql().substring(last)
                        + " ON '"
                        + CAPTURE.getFileName()
                        + "' EXPECT '"
                        + answer
                        + "'";
        try (EmbeddedNode node =
                new EmbeddedNode(
                        NodeSettings.DEFAULT,
                        List.of(SourceSpec.pcap("local", CAPTURE)),
                        new TableFolders(List.of(FOLDER, CAPTURE.getParent())))) {
            List<Statement> statements = node.frontend().parse(test);
            Answer.Texts verdict = node.load(statements).texts().get(0);
            assertEquals("passed", verdict.rows().get().get(0).get(3));
        }
    }
}
