package svc.embedded.graphql;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * A page on the loopback interface that sends documents to the GraphQL API of a project on this machine, with the key that
 * its user pastes, and shows answers and types. Without a CDN and without code in the page itself; it keeps nothing.
 * Requests for another host than this machine are refused, against DNS rebinding.
 */
public final class GraphqlPage implements AutoCloseable {
    private static final Pattern LOCAL = Pattern.compile("(?:localhost|127\\.0\\.0\\.1|\\[::1])(?::[0-9]+)?");
    private static final String PLAIN = "text/plain; charset=utf-8";

    private record File(String name, String type) {}

    private static final Map<String, File> FILES = Map.of(
            "/", new File("page.html", "text/html; charset=utf-8"),
            "/page.js", new File("page.js", "text/javascript; charset=utf-8"),
            "/page.css", new File("page.css", "text/css; charset=utf-8"));

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final String gateway;

    private GraphqlPage(int gatewayPort, int port) throws IOException {
        this.gateway = "http://127.0.0.1:" + gatewayPort;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * @param gatewayPort where projects are, below {@code /p/{ref}}
     * @param port of the loopback interface, 0 for any free one
     */
    public static GraphqlPage start(int gatewayPort, int port) {
        try {
            return new GraphqlPage(gatewayPort, port);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting the page for GraphQL on port " + port, e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            File file = FILES.get(exchange.getRequestURI().getPath());
            if (host == null || !LOCAL.matcher(host).matches()) {
                send(exchange, 403, PLAIN, "This page is for this machine only.");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, PLAIN, "GET only.");
            } else if (file == null) {
                send(exchange, 404, PLAIN, "There is no such page.");
            } else {
                send(exchange, 200, file.type(), text(file.name()).replace("{gateway}", gateway));
            }
        }
    }

    private static String text(String name) throws IOException {
        try (InputStream content = GraphqlPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(content, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src " + gateway
                        + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
