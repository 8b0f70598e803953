package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher on machines that lack things, with a JDK and a Maven that only write what they are
 * told.
 */
class LauncherScriptTest {
    private static final Path LAUNCHER = Path.of("../../weir");
    private static final Path PACKAGED = Path.of("src/packaging/common/weir");

    /** Of Debian's base system: all that the launcher may ask for, but no compiler. */
    private static final List<String> TOOLS =
            List.of(
                    "basename bash cat comm cmp cp cut dirname env find flock grep head id locale mkdir",
                    "mktemp mv readlink rm sed sh sha256sum sort stat tail tee touch");

    private static final String JAVA = "echo \"LC_ALL=${LC_ALL-}\"";
    private static final String MAVEN =
            """
            if [ "$1" = -v ]; then echo 'Apache Maven 3.9.9'; exit; fi
            echo built >>built
            echo '[INFO]      [exec] no C compiler: it is slower (apt-get install gcc)'
            for module in cluster/cli cluster/broker cluster/testbed benchmarks; do
                mkdir -p $module/target
                jar=$module/target/weir-$(basename $module)-1.jar
                touch $jar
                echo $jar >$module/target/classpath
            done
            """;

    @TempDir private Path directory;
    private Path root;
    private Path programs;
    private Path jdk;

    private record Said(int code, String text) {}

    @BeforeEach
    void lay() throws IOException {
        root = Files.createDirectories(directory.resolve("weir"));
        programs = Files.createDirectories(directory.resolve("bin"));
        jdk = directory.resolve("jdk");
        Files.createDirectories(root.resolve(".mvn"));
        Files.copy(LAUNCHER, root.resolve("weir"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        for (String tool : String.join(" ", TOOLS).split(" ")) {
            Path program = Path.of("/usr/bin", tool);
            assumeTrue(Files.exists(program), program + " is not here: skipped");
            script(programs.resolve(tool), "exec " + program + " \"$@\"");
        }
        script(programs.resolve("mvn"), MAVEN);
        script(jdk.resolve("bin/java"), JAVA);
        script(jdk.resolve("bin/javac"), "");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
        Files.createDirectories(jdk.resolve("lib"));
        Files.writeString(jdk.resolve("lib/modules"), "");
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** With these programs and this environment only. */
    private Said run(List<String> environment, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of("/usr/bin/env", "-i"));
        words.addAll(List.of("PATH=" + programs, "JAVA_HOME=" + jdk));
        words.addAll(environment);
        Collections.addAll(words, command);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    private Said weir(String... environment) throws Exception {
        return run(List.of(environment), "bash", root.resolve("weir").toString(), "queries");
    }

    private long builds() throws IOException {
        return Files.readAllLines(root.resolve("built")).size();
    }

    @Test
    void whereNoLocaleIsSetJavaHasOneOfUtf8() throws Exception {
        for (String none : List.of("TERM=dumb", "LC_ALL=C", "LANG=POSIX", "LANG=xx_NONE.UTF-8")) {
            Said said = weir(none);
            assertTrue(said.text().endsWith("LC_ALL=C.UTF-8\n"), none + ": " + said.text());
            Said installed = run(List.of(none), "sh", PACKAGED.toString());
            assertEquals("LC_ALL=C.UTF-8\n", installed.text(), none);
        }
        assertEquals("LC_ALL=\n", weir("LANG=C.UTF-8").text());
        assertEquals("LC_ALL=\n", run(List.of("LANG=C.UTF-8"), "sh", PACKAGED.toString()).text());
    }

    @Test
    void whoNamesACaptureGetsNoOther() throws Exception {
        script(jdk.resolve("bin/java"), "for word; do echo \"$word\"; done");
        for (String command : List.of("demo", "scale", "faults")) {
            assertEquals(List.of("--pcap=" + root + "/demo/capture.pcap"), captures(command));
            assertEquals(List.of("--pcap=b"), captures(command, "--pcap=b"));
            assertEquals(List.of("--pcap"), captures(command, "--pcap", "b"));
        }
    }

    /** What Java is told of captures by a command of the cluster. */
    private List<String> captures(String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of("bash", root + "/weir", "cluster"));
        Collections.addAll(words, command);
        Said said = run(List.of(), words.toArray(String[]::new));
        assertEquals(0, said.code(), said.text());
        return said.text().lines().filter(line -> line.startsWith("--pcap")).toList();
    }

    /** Its part of the kernels is made then. */
    @Test
    void aCompilerThatComesLaterIsUsed() throws Exception {
        Said first = weir();
        assertEquals(0, first.code(), first.text());
        assertTrue(
                first.text()
                        .contains("\nweir:   no C compiler: it is slower (apt-get install gcc)\n"),
                first.text());
        Said again = weir();
        assertEquals("LC_ALL=C.UTF-8\n", again.text());
        assertEquals(1, builds());
        script(programs.resolve("gcc"), "");
        assertEquals(0, weir().code());
        assertEquals(2, builds());
    }

    /** What Maven makes for the benchmarks has the cluster in it. */
    @Test
    void allIsBuiltAtOnce() throws Exception {
        Said said = run(List.of(), "bash", root.resolve("weir").toString(), "build");
        assertEquals(0, said.code(), said.text());
        assertEquals(1, builds());
        assertEquals("LC_ALL=C.UTF-8\n", weir().text());
        assertEquals(1, builds());
    }

    @Test
    void whoMayNotInstallIsToldWhatToRunAsWhom() throws Exception {
        script(programs.resolve("apt-get"), "");
        assertEquals("apt-get update && apt-get install", asked("please run as root: "));
        script(programs.resolve("sudo"), "");
        assertEquals("sudo apt-get update && sudo apt-get install", asked("please run: "));
    }

    /** The command that who is not root is asked to run for Maven. */
    private String asked(String please) throws Exception {
        Path setpriv = Path.of("/usr/bin/setpriv");
        assumeTrue(Files.exists(setpriv), "there is no setpriv: skipped");
        String install = ". " + root.resolve("weir") + " help >/dev/null; install_packages maven x";
        List<String> command = new ArrayList<>(List.of("bash", "-c", install));
        if (Files.getOwner(root).getName().equals("root")) {
            command.addAll(0, List.of(setpriv.toString(), "--reuid=65534", "--clear-groups"));
            open(directory);
        }
        Said said = run(List.of(), command.toArray(String[]::new));
        assertEquals(2, said.code(), said.text());
        List<String> lines = said.text().lines().toList();
        assertEquals("weir: needed to build Weir, and missing here: x", lines.get(0));
        String begin = "weir: " + please;
        String end = " --no-install-recommends maven";
        String last = lines.get(1);
        assertTrue(last.startsWith(begin) && last.endsWith(end), last);
        return last.substring(begin.length(), last.length() - end.length());
    }

    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
