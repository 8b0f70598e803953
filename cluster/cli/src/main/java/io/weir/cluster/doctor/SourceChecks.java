package io.weir.cluster.doctor;

import io.weir.ingest.source.SourceAdvice;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.WeirException;
import java.util.ArrayList;
import java.util.List;

/** Checks whether sources can be read here: rights, libraries, devices, and what joins packets. */
public final class SourceChecks {
    private static final String STAGE = "source";

    private SourceChecks() {}

    /**
     * Returns the findings on the sources that a URI names.
     *
     * @param uri as {@code --source} takes it
     */
    public static List<Finding> run(String uri) {
        List<Finding> found = new ArrayList<>();
        try {
            for (SourceSpec spec : Sources.parse(uri, "local")) {
                found.addAll(check(spec));
            }
        } catch (WeirException e) {
            found.add(Finding.broken(STAGE, e.getMessage(), e.hint().orElse("")));
        }
        return found;
    }

    private static List<Finding> check(SourceSpec spec) {
        List<SourceAdvice> advice = spec.advice();
        return advice.isEmpty()
                ? List.of(Finding.ok(STAGE, spec.name() + " can be read"))
                : advice.stream()
                        .map(
                                one ->
                                        Finding.note(
                                                STAGE,
                                                spec.name() + " can be read; " + one.about(),
                                                one.remedy()))
                        .toList();
    }
}
