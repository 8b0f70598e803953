package io.weir.cluster.launcher;

import io.weir.cluster.catalog.Version;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * The output of {@code weir version}: the version. If it was built in a git checkout, also the
 * commit, its day (UTC), and whether files were changed since.
 */
final class BuildInfo implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        Properties commit = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("commit.properties")) {
            if (in != null) {
                commit.load(in);
            }
        }
        return new String[] {line(commit)};
    }

    static String line(Properties commit) {
        String version = "weir " + Version.TEXT;
        String id = commit.getProperty("git.commit.id.abbrev", "");
        if (id.isEmpty()) {
            return version;
        }
        boolean isChanged = Boolean.parseBoolean(commit.getProperty("git.dirty"));
        String day = commit.getProperty("git.commit.time");
        return version + " (" + id + (isChanged ? ", changed" : "") + ", " + day + ")";
    }
}
