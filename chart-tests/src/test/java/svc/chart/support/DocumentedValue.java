package svc.chart.support;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A value of the chart with its comment in values.yaml, where that begins with two dashes. */
public record DocumentedValue(String path, String description) {
    private static final Pattern KEY = Pattern.compile("^( *)([A-Za-z0-9]+):(.*)$");

    /** Each commented key with its path, found by indentation. */
    public static List<DocumentedValue> all() throws IOException {
        List<DocumentedValue> rows = new ArrayList<>();
        Deque<String> path = new ArrayDeque<>();
        String description = null;
        for (String line : Files.readAllLines(Chart.FOLDER.resolve("values.yaml"))) {
            String bare = line.strip();
            if (bare.startsWith("# -- ")) {
                description = bare.substring("# -- ".length());
                continue;
            }
            Matcher key = KEY.matcher(line);
            if (bare.startsWith("#") || !key.matches()) {
                continue;
            }
            while (path.size() > key.group(1).length() / 2) {
                path.removeLast();
            }
            path.addLast(key.group(2));
            if (description != null) {
                rows.add(new DocumentedValue(String.join(".", path), description));
                description = null;
            }
        }
        return rows;
    }
}
