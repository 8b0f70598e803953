package io.weir.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callCodeUnitWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The rules of the house that Maven's modules cannot hold. Each module has a test that inherits
 * them and checks the module's own classes. Maven holds the arrows between modules.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HouseRules {
    /** Records that describe layouts. Nothing reads them per packet. */
    private static final Set<String> COLD_IN_GPV = Set.of("GpvLayout", "PacketColumns");

    private static final String[] HOT = {
        "io.weir.operators.gpv..",
        "io.weir.operators.ring..",
        "io.weir.operators.map..",
        "io.weir.operators.memory..",
        "io.weir.operators.window..",
        "io.weir.ingest.decode..",
        "io.weir.ingest.cache.."
    };

    /** The rooms that may use a library. */
    private static final Map<String, String[]> ROOMS =
            Map.ofEntries(
                    Map.entry(
                            "org.apache.calcite.avatica..",
                            new String[] {"io.weir.cluster.server..", "io.weir.sql.."}),
                    Map.entry("com.maxmind..", new String[] {"io.weir.cluster.table.."}),
                    Map.entry("ch.qos.logback..", new String[] {"io.weir.cluster.logging.."}),
                    Map.entry("sqlline..", new String[] {"io.weir.cluster.console.."}),
                    Map.entry(
                            "picocli..",
                            new String[] {
                                "io.weir.cluster.launcher..", "io.weir.cluster.testbed.."
                            }),
                    Map.entry("org.codehaus..", new String[] {"io.weir.operators.kernel.."}),
                    Map.entry("io.micrometer..", new String[] {"io.weir.cluster.metrics.."}),
                    Map.entry("io.prometheus..", new String[] {"io.weir.cluster.metrics.."}),
                    Map.entry(
                            "org.apache.kafka..",
                            new String[] {
                                "io.weir.cluster.broker..",
                                "io.weir.cluster.faults..",
                                "io.weir.cluster.kafka..",
                                "io.weir.cluster.merge..",
                                "io.weir.cluster.trigger.."
                            }),
                    Map.entry("net.openhft..", new String[] {"io.weir.cluster.outbox.."}),
                    Map.entry("com.google.re2j..", new String[] {"io.weir.operators.function.."}),
                    Map.entry("org.apache.avro..", new String[] {"io.weir.cluster.format.."}),
                    Map.entry(
                            "org.apache.datasketches..",
                            new String[] {"io.weir.operators.sketch.."}));

    private static final List<String> FLOORS =
            List.of("io.weir.operators.", "io.weir.ingest.", "io.weir.sql.", "io.weir.cluster.");

    private static final Pattern READS_SYSTEM = Pattern.compile("Clock\\.SYSTEM\\s*(\\.|::)");

    private static final int MOST_LINES = 400;

    /**
     * The number of classes that are in circles inside their room, by module; none where a module
     * is missing here. It only falls. ADR 0065 says why these stay.
     */
    private static final Map<String, Integer> IN_CIRCLES =
            Map.of(
                    "model", 2,
                    "store", 2,
                    "kernel", 8,
                    "packets", 8,
                    "frontend", 6,
                    "access", 2,
                    "cli", 2,
                    "kafka", 2,
                    "node", 2);

    /** Read once for all rules. Tests run in the folder of their module. */
    private final JavaClasses module =
            new ClassFileImporter().importPath(Path.of("target", "classes"));

    private void hold(ArchRule rule) {
        rule.allowEmptyShould(true).check(module);
    }

    @Test
    void eachLibraryHasItsRooms() {
        ROOMS.forEach(
                (library, rooms) ->
                        hold(
                                noClasses()
                                        .that()
                                        .resideOutsideOfPackages(rooms)
                                        .should()
                                        .dependOnClassesThat()
                                        .resideInAnyPackage(library)));
    }

    @Test
    void nativeCodeLivesInIngestAndMemory() {
        hold(
                noMethods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideOutsideOfPackages("io.weir.ingest..", "io.weir.operators.memory")
                        .should()
                        .haveModifier(JavaModifier.NATIVE));
    }

    @Test
    void onlyMemoryTouchesUnsafe() {
        hold(
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.weir.operators.memory..")
                        .should()
                        .dependOnClassesThat()
                        .haveNameMatching(".*\\.(Unsafe|UnsafeApi|UnsafeAccess)"));
    }

    /** Constructors and static initialisers run once, off the packet path. */
    @Test
    void hotCodeHasNoStreamsAndNoLogs() {
        hold(
                noClasses()
                        .that(resideInAnyPackage(HOT).and(describe("are hot", HouseRules::isHot)))
                        .should(
                                callCodeUnitWhere(
                                        describe(
                                                "a method calls java.util.stream or a logger",
                                                call ->
                                                        call.getOrigin() instanceof JavaMethod
                                                                && isCold(
                                                                        call.getTargetOwner())))));
    }

    /** A class logs by its own logger. Nobody hands it a receiver of texts. */
    @Test
    void noReceiverOfTextsIsKept() {
        hold(noFields().should(have(describe("type Consumer<String>", HouseRules::takesTexts))));
    }

    private static boolean takesTexts(JavaField field) {
        return field.getType() instanceof JavaParameterizedType type
                && type.toErasure().isEquivalentTo(Consumer.class)
                && type.getActualTypeArguments().get(0).getName().equals("java.lang.String");
    }

    private static boolean isHot(JavaClass type) {
        return !COLD_IN_GPV.contains(outermost(type));
    }

    private static boolean isCold(JavaClass target) {
        String library = target.getPackageName();
        return library.startsWith("java.util.stream")
                || library.startsWith("java.util.logging")
                || library.startsWith("org.slf4j");
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(HouseRules::outermost).orElse(type.getSimpleName());
    }

    @Test
    void nobodyReadsJavaObjectsFromBytes() {
        hold(
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .haveFullyQualifiedName("java.io.ObjectInputStream"));
    }

    /** Time is injected, so that tests need not wait for it. */
    @Test
    void onlyOneRoomReadsTheMachinesClock() {
        hold(
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.weir.operators.time")
                        .should(
                                accessTargetWhere(
                                        describe(
                                                "it is the machine's clock",
                                                access -> readsClock(access.getTarget())))));
    }

    /**
     * A class reads the clock that it was given, and leaves waits and measures to Deadline and
     * Stopwatch. The programs of the testbed watch real processes, which have the machine's clock.
     */
    @Test
    void theMachinesClockIsHandedOn() throws IOException {
        List<String> readers = new ArrayList<>();
        for (Path file : sources()) {
            boolean exempt = module().equals("testbed") || file.getParent().endsWith("time");
            if (!exempt && READS_SYSTEM.matcher(Files.readString(file)).find()) {
                readers.add(file.toString());
            }
        }
        assertEquals(List.of(), readers);
    }

    private static String module() {
        return Path.of("").toAbsolutePath().getFileName().toString();
    }

    private static boolean readsClock(AccessTarget target) {
        if (!(target instanceof CodeUnitAccessTarget unit)) {
            return false;
        }
        String owner = target.getOwner().getName();
        String method = target.getName();
        int arguments = unit.getRawParameterTypes().size();
        return switch (owner) {
            case "java.lang.System" -> Set.of("nanoTime", "currentTimeMillis").contains(method);
            case "java.util.Date", "java.util.GregorianCalendar" ->
                    method.equals("<init>") && arguments == 0;
            case "java.util.Calendar" -> method.equals("getInstance");
            case "java.time.InstantSource" -> method.equals("system");
            case "java.time.Clock" -> method.startsWith("system") || method.startsWith("tick");
            default -> owner.startsWith("java.time.") && method.equals("now") && arguments == 0;
        };
    }

    /** It throws in a chroot, which shows no mounts: a disk with room would look full. */
    @Test
    void nobodyLooksForTheMountOfADisk() {
        hold(
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .haveFullyQualifiedName("java.nio.file.FileStore"));
    }

    @Test
    void noFileIsTooLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            int lines = Files.readAllLines(file).size();
            if (lines > MOST_LINES) {
                tooLong.add(file + " has " + lines + " lines");
            }
        }
        assertEquals(List.of(), tooLong);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @Test
    void fewClassesAreInCircles() {
        String name = module();
        List<Set<String>> circles = ClassCircles.of(module);
        int most = IN_CIRCLES.getOrDefault(name, 0);
        int classes = circles.stream().mapToInt(Set::size).sum();
        assertTrue(classes <= most, classes + " classes, not " + most + ": " + circles);
    }

    @Test
    void roomsFormNoCycle() {
        for (String floor : FLOORS) {
            hold(slices().assignedFrom(new Rooms(floor)).should().beFreeOfCycles());
        }
    }

    @Test
    void noClassIsLeftOutsideTheRooms() {
        hold(
                classes()
                        .should()
                        .resideInAnyPackage(
                                "io.weir.operators.*..",
                                "io.weir.ingest.*..",
                                "io.weir.sql..",
                                "io.weir.cluster.*.."));
    }

    /** A room is a package below its floor. */
    private record Rooms(String floor) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return name.startsWith(floor)
                    ? SliceIdentifier.of(name.substring(floor.length()).split("\\.")[0])
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "rooms of " + floor;
        }
    }
}
