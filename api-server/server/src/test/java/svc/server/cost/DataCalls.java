package svc.server.cost;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The calls of a project's host: those that the services name ({@code calls()}), and the lines of {@code calls.txt}. A line
 * is {@code METHOD /path?query [Header: value] body}; parameters in braces stand for what the project has.
 */
final class DataCalls {
    private static final String FILE = "calls.txt";
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "DELETE", "OPTIONS");
    private static final String UUID = "11111111-1111-4111-8111-111111111111";

    private final String host;
    private final List<String> lines;

    DataCalls(String host) {
        this.host = host;
        try (InputStream file = DataCalls.class.getResourceAsStream(FILE)) {
            this.lines = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + FILE, e);
        }
    }

    /** Routes with a body that no line of the file has. */
    Set<String> missing(List<String> routes) {
        Set<String> known = lines.stream().map(DataCalls::route).collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>(routes);
        missing.removeIf(
                route -> WITHOUT_BODY.contains(route.substring(0, route.indexOf(' '))) || known.contains(route));
        return missing;
    }

    /** @param routes of the services, with the prefixes of their paths */
    List<Call> all(List<String> routes) {
        List<Call> calls = new ArrayList<>();
        lines.forEach(line -> calls.add(call(line)));
        Set<String> known = lines.stream().map(DataCalls::route).collect(Collectors.toSet());
        routes.stream().distinct().filter(route -> !known.contains(route)).forEach(route -> calls.add(call(route)));
        return calls;
    }

    private static String route(String line) {
        String[] words = line.split(" ", 3);
        return words[0] + " " + words[1].split("\\?", 2)[0];
    }

    private Call call(String line) {
        String[] words = line.split(" ", 3);
        String path = words[1].replace("{bucket}", "b").replace("{object}", "o").replaceAll("\\{[a-z]+}", UUID);
        Call call = Call.of(words[0], host, path).of(route(line));
        String rest = words.length == 3 ? words[2] : "";
        while (rest.startsWith("[") && rest.indexOf(": ") > 0 && rest.indexOf(": ") < rest.indexOf(']')) {
            int end = rest.indexOf(']');
            call = call.with(rest.substring(1, end));
            rest = rest.substring(end + 1).stripLeading();
        }
        return rest.isEmpty() ? call : call.withBody(rest.replace("\\r\\n", "\r\n"));
    }
}
