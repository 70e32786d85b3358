package svc.e2e.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes of live objects in another JVM, after a full collection, by {@code jcmd GC.class_histogram}. */
final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+[0-9]+\\s+([0-9]+)");

    private LiveHeap() {}

    /** @throws IOException if the JVM does not answer */
    static long bytes(ProcessHandle jvm) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(jvm.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = TOTAL.matcher(printed);
        if (!total.find()) {
            throw new IOException(
                    "jcmd printed no total: " + printed.lines().limit(3).toList());
        }
        return Long.parseLong(total.group(1));
    }
}
