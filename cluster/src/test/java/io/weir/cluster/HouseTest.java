package io.weir.cluster;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callCodeUnitWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The walls of the house: which floor may know which, which rooms hold the dangerous things. It
 * lies on the top floor because only from there all of them are in sight.
 */
class HouseTest {
    private static final JavaClasses HOUSE =
            new ClassFileImporter()
                    .withImportOption(HouseTest::isProduct)
                    .importPackages("io.weir");

    /** Records that describe layouts, read when kernels are made and never per packet. */
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

    private static boolean isProduct(Location location) {
        return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }

    @Test
    void floorsKnowOnlyWhatLiesBelow() {
        noClasses()
                .that(resideInAPackage("io.weir.operators.."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.weir.ingest..", "io.weir.sql..", "io.weir.cluster..")
                .check(HOUSE);
        noClasses()
                .that(resideInAPackage("io.weir.ingest.."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.weir.sql..", "io.weir.cluster..")
                .check(HOUSE);
        noClasses()
                .that(resideInAPackage("io.weir.sql.."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.weir.ingest..", "io.weir.cluster..")
                .check(HOUSE);
    }

    @Test
    void calciteLivesInSqlOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.weir.sql..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("org.apache.calcite..")
                                .and(not(resideInAPackage("org.apache.calcite.avatica.."))))
                .check(HOUSE);
    }

    @Test
    void eachLibraryHasItsRoom() {
        onlyFrom("org.apache.calcite.avatica..", "io.weir.cluster.server..", "io.weir.sql..");
        onlyFrom("sqlline..", "io.weir.cluster.console..");
        onlyFrom("picocli..", "io.weir.cluster.launcher..");
        onlyFrom("org.codehaus..", "io.weir.operators.kernel..");
        onlyFrom("io.micrometer..", "io.weir.cluster.metrics..");
        onlyFrom("io.prometheus..", "io.weir.cluster.metrics..");
        // Rooms of the cluster that run as Kafka's clients or inside Kafka Streams.
        onlyFrom(
                "org.apache.kafka..",
                "io.weir.cluster.faults..",
                "io.weir.cluster.kafka..",
                "io.weir.cluster.merge..",
                "io.weir.cluster.trigger..");
        onlyFrom("net.openhft..", "io.weir.cluster.outbox..");
        onlyFrom("org.apache.avro..", "io.weir.cluster.format..");
        onlyFrom("org.apache.datasketches..", "io.weir.operators.sketch..");
    }

    private static void onlyFrom(String library, String... rooms) {
        noClasses()
                .that()
                .resideOutsideOfPackages(rooms)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .check(HOUSE);
    }

    @Test
    void nativeCodeLivesInIngestAndMemory() {
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackages("io.weir.ingest..", "io.weir.operators.memory")
                .should()
                .haveModifier(JavaModifier.NATIVE)
                .check(HOUSE);
    }

    @Test
    void onlyMemoryTouchesUnsafe() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.weir.operators.memory..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(".*\\.(Unsafe|UnsafeApi|UnsafeAccess)")
                .check(HOUSE);
    }

    /** Constructors and static initialisers run once, off the packet path. */
    @Test
    void hotCodeHasNoStreamsAndNoLogs() {
        noClasses()
                .that(resideInAnyPackage(HOT).and(describe("are hot", HouseTest::isHot)))
                .should(
                        callCodeUnitWhere(
                                describe(
                                        "a method calls java.util.stream or a logger",
                                        call ->
                                                call.getOrigin() instanceof JavaMethod
                                                        && isCold(call.getTargetOwner()))))
                .check(HOUSE);
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
        return type.getEnclosingClass().map(HouseTest::outermost).orElse(type.getSimpleName());
    }

    @Test
    void nobodyReadsJavaObjectsFromBytes() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .check(HOUSE);
    }

    /** It throws in a chroot, which shows no mounts: a disk with room would look full. */
    @Test
    void nobodyLooksForTheMountOfADisk() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.nio.file.FileStore")
                .check(HOUSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"operators", "ingest", "sql", "cluster"})
    void roomsOfAFloorFormNoCycle(String floor) {
        slices().assignedFrom(new Rooms("io.weir." + floor + "."))
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(HOUSE);
    }

    @Test
    void noClassIsLeftOutsideTheRooms() {
        classes()
                .should()
                .resideInAnyPackage(
                        "io.weir.operators.*..",
                        "io.weir.ingest.*..",
                        "io.weir.sql..",
                        "io.weir.cluster.*..")
                .check(HOUSE);
    }

    /**
     * A room is a package below its floor. Rows as data are a room of their own inside {@code
     * result}: kernels write them, and the stages of {@code result} run kernels.
     */
    private record Rooms(String floor) implements SliceAssignment {
        private static final Set<String> ROWS = Set.of("RowBatch", "RowLayout", "RowSink");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            if (!name.startsWith(floor)) {
                return SliceIdentifier.ignore();
            }
            if (ROWS.contains(outermost(type))) {
                return SliceIdentifier.of("rows");
            }
            return SliceIdentifier.of(name.substring(floor.length()).split("\\.")[0]);
        }

        @Override
        public String getDescription() {
            return "rooms of " + floor;
        }
    }
}
