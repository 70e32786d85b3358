package svc.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes of live objects in another JVM, after a full collection, by {@code jcmd GC.class_histogram}. */
public final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+[0-9]+\\s+([0-9]+)");

    private static final Pattern FILLERS =
            Pattern.compile("(?m)^\\s*[0-9]+:\\s+[0-9]+\\s+([0-9]+)\\s+\\S*jdk\\.internal\\.vm\\.Filler");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private LiveHeap() {}

    /**
     * @param histogram the file that gets the classes, to compare two of them when the heap has grown
     * @throws IOException if the JVM does not answer
     */
    public static long bytes(ProcessHandle jvm, Path histogram) throws IOException {
        var jcmd = new Tool(Path.of(System.getProperty("java.home"), "bin", "jcmd"));
        String printed = jcmd.run(Map.of(), List.of(Long.toString(jvm.pid()), "GC.class_histogram"), LIMIT);
        Files.writeString(histogram, printed);
        Matcher total = TOTAL.matcher(printed);
        if (!total.find()) {
            throw new IOException(
                    "jcmd printed no total: " + printed.lines().limit(3).toList());
        }
        return Long.parseLong(total.group(1)) - fillers(printed);
    }

    /** A collection leaves dead space between objects that it does not move, in the form of these arrays. */
    private static long fillers(String histogram) {
        return FILLERS.matcher(histogram)
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }
}
