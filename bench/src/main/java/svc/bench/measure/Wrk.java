package svc.bench.measure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load, from wrk: a closed loop of so many connections. It takes a few microseconds of the machine's two cores for a
 * request; a client on a JVM took as much as the server it measured, of both sides alike, and so brought their ratio
 * nearer to one than it is.
 */
public final class Wrk {
    private static final Pattern RESULT =
            Pattern.compile("answers (\\d+) in (\\d+) us, p50 \\d+ us, p99 (\\d+) us, failed (\\d+)");
    private static final String SCRIPT = "load.lua";
    private static final String REFRESH = "refresh.lua";
    private static final String TRANSFER = "transfer.lua";

    private final Tool tool;
    private final Path folder;
    private final int connections;
    private final int seconds;

    /** @param folder for its script and lists, the caller's to remove */
    public Wrk(Tool tool, Path folder, int connections, int seconds) throws IOException {
        this.tool = tool;
        this.folder = folder;
        this.connections = connections;
        this.seconds = seconds;
        for (String script : List.of(SCRIPT, REFRESH, TRANSFER)) {
            try (InputStream text = Wrk.class.getResourceAsStream(script)) {
                Files.write(
                        folder.resolve(script),
                        Objects.requireNonNull(text, script).readAllBytes());
            }
        }
    }

    /** In whose name requests are sent: each entry the headers of one caller, who take turns. */
    public Path callers(String name, List<List<String>> headers) throws IOException {
        return Files.write(
                folder.resolve(name),
                headers.stream().map(caller -> String.join("\t", caller)).toList());
    }

    /**
     * One run.
     *
     * @param prefix of the path, before the target of the request
     * @throws IOException also when any request fails
     */
    public Measured run(URI server, String prefix, Path callers, Exchange exchange) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                callers.toString(), exchange.method(), prefix + exchange.target(), Integer.toString(exchange.keys())));
        exchange.body().ifPresent(words::add);
        return run(server, SCRIPT, words, exchange.toString());
    }

    /**
     * Refreshes sessions, each again with the token that it got.
     *
     * @param tokens more than there are connections
     * @throws IOException also when any request fails
     */
    public Measured refresh(URI server, List<String> headers, List<String> tokens) throws IOException {
        Path file = Files.write(folder.resolve("tokens"), tokens);
        return run(server, REFRESH, List.of(file.toString(), String.join("\t", headers)), "refresh");
    }

    /** A list of what {@link #transfer} reads or writes, path and query each; a new number goes where one has {@code {n}}. */
    public Path targets(String name, List<String> targets) throws IOException {
        return Files.write(folder.resolve(name), targets);
    }

    /**
     * Reads or writes files, one after the other.
     *
     * @param bytes of the body of each request, 0 for none
     * @throws IOException also when any request fails
     */
    public Measured transfer(URI server, List<String> headers, Path targets, String method, int bytes)
            throws IOException {
        return run(
                server,
                TRANSFER,
                List.of(targets.toString(), String.join("\t", headers), method, Integer.toString(bytes)),
                method + " of " + targets.getFileName());
    }

    private Measured run(URI server, String script, List<String> arguments, String what) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "30s",
                "-s",
                folder.resolve(script).toString(),
                server.toString(),
                "--"));
        words.addAll(arguments);
        String output = tool.run(Map.of(), words);
        Matcher result = RESULT.matcher(output);
        if (!result.find()) {
            throw new IOException("wrk said something else: " + output);
        }
        if (!result.group(4).equals("0")) {
            throw new IOException("requests failed under load, " + what + ": " + output);
        }
        double duration = Double.parseDouble(result.group(2)) / 1e6;
        return new Measured(Double.parseDouble(result.group(1)) / duration, Double.parseDouble(result.group(3)) / 1000);
    }
}
