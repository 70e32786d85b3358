package svc.embedded.mail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page on the loopback interface that shows the mails of an {@link EmbeddedMail}: {@code /} lists, {@code /mails/7} shows
 * one. Programs get JSON from {@code /mails.json}, and from both with {@code Accept: application/json}.
 *
 * <p>Mails are foreign text: the list is escaped, a body is shown in a frame that may run nothing and load nothing. Requests
 * for another host than this machine are refused, against DNS rebinding: no web page may read mails through a name that resolves to loopback.
 */
public final class MailPage implements AutoCloseable {
    private static final Pattern PATH = Pattern.compile("/mails/([0-9]{1,18})(/body)?");
    private static final Pattern LOCAL = Pattern.compile("(?:localhost|127\\.0\\.0\\.1|\\[::1])(?::[0-9]+)?");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HTML = "text/html; charset=utf-8";

    /** No scripts, and no remote images: they would report to the sender that the mail was opened. */
    private static final String PAGE_POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private static final String BODY_POLICY = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';"
            + " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    private final EmbeddedMail mail;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private MailPage(EmbeddedMail mail, int port) throws IOException {
        this.mail = mail;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** @param port of the loopback interface, 0 for any free one */
    public static MailPage start(EmbeddedMail mail, int port) {
        try {
            return new MailPage(mail, port);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting the page of caught mails on port " + port, e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            if (host == null || !LOCAL.matcher(host).matches()) {
                send(exchange, 403, "text/plain", PAGE_POLICY, "This page is for this machine only.");
                return;
            }
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, "text/plain", PAGE_POLICY, "GET only.");
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/mails.json") || (wantsJson(exchange) && !path.endsWith("/body"))) {
                sendJson(exchange, path);
            } else {
                route(exchange, path);
            }
        }
    }

    private void route(HttpExchange exchange, String path) throws IOException {
        if (path.equals("/")) {
            send(exchange, 200, HTML, PAGE_POLICY, MailPageText.list(mail.mails()));
            return;
        }
        Optional<CaughtMail> found = find(path);
        if (found.isEmpty()) {
            send(exchange, 404, "text/plain", PAGE_POLICY, "There is no such mail (any more).");
        } else if (path.endsWith("/body")) {
            send(exchange, 200, HTML, BODY_POLICY, MailPageText.body(found.get()));
        } else {
            send(exchange, 200, HTML, PAGE_POLICY, MailPageText.one(found.get()));
        }
    }

    private Optional<CaughtMail> find(String path) {
        Matcher one = PATH.matcher(path);
        return !one.matches()
                ? Optional.empty()
                : mail.mails().stream()
                        .filter(caught -> caught.number() == Long.parseLong(one.group(1)))
                        .findFirst();
    }

    /** Browsers name HTML in the header. */
    private static boolean wantsJson(HttpExchange exchange) {
        String accept = String.join(",", exchange.getRequestHeaders().getOrDefault("Accept", List.of()));
        return accept.contains("application/json") && !accept.contains("text/html");
    }

    private void sendJson(HttpExchange exchange, String path) throws IOException {
        Optional<CaughtMail> found = find(path);
        if (path.equals("/") || path.equals("/mails.json")) {
            ArrayNode list = JSON.createArrayNode();
            mail.mails().forEach(caught -> list.add(json(caught)));
            send(exchange, 200, "application/json", PAGE_POLICY, list.toString());
        } else if (found.isPresent()) {
            send(
                    exchange,
                    200,
                    "application/json",
                    PAGE_POLICY,
                    json(found.get()).toString());
        } else {
            String none = JSON.createObjectNode()
                    .put("message", "There is no such mail (any more).")
                    .toString();
            send(exchange, 404, "application/json", PAGE_POLICY, none);
        }
    }

    private static ObjectNode json(CaughtMail caught) {
        ObjectNode one = JSON.createObjectNode();
        one.put("number", caught.number());
        one.put("at", caught.at().toString());
        one.put("from", caught.from());
        one.put("to", caught.to());
        one.put("subject", caught.subject());
        one.put("html", caught.html());
        ArrayNode links = one.putArray("links");
        caught.links().forEach(links::add);
        return one;
    }

    private static void send(HttpExchange exchange, int status, String type, String policy, String text)
            throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Content-Security-Policy", policy);
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
