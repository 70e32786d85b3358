package svc.functions;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Selects the headers that pass between client and function. Hop-by-hop headers end here (RFC 9110 §7.6.1), and the gateway
 * sets the forwarding headers itself. The header {@code apikey} passes, because functions check it ({@code @supabase/server}
 * does); an API key in the address, which programs log, does not.
 */
final class CallHeaders {
    private static final Set<String> OF_ONE_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** Set by the gateway alone, whatever a client sends. */
    private static final Set<String> OURS_TO_SAY = Set.of(
            "forwarded", "x-real-ip", "x-request-id", "sb-request-id", "via", "host", "expect", "content-length");

    private static final String API_KEY = "apikey";

    /** Response headers by which the platform speaks: a function must not set them. */
    private static final Set<String> NOT_FOR_FUNCTIONS =
            Set.of("x-request-id", "sb-request-id", "x-relay-error", "sb-error-code", "content-length", "alt-svc");

    private CallHeaders() {}

    /** From the client's request to the one for the process; the caller of this method sets length and upgrade. */
    static void forward(HttpServerRequest from, MultiMap to, String requestId) {
        Set<String> named = namedByConnection(from.headers());
        for (Map.Entry<String, String> header : from.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!OF_ONE_CONNECTION.contains(name)
                    && !OURS_TO_SAY.contains(name)
                    && !named.contains(name)
                    && !name.startsWith("x-forwarded-")
                    && !name.startsWith("x-svc-")) {
                to.add(header.getKey(), header.getValue());
            }
        }
        to.set("host", from.authority().toString());
        to.set("x-request-id", requestId);
        to.set("x-forwarded-host", from.authority().toString());
        to.set("x-forwarded-proto", protocol(from));
        if (from.remoteAddress() != null && from.remoteAddress().hostAddress() != null) {
            to.set("x-forwarded-for", from.remoteAddress().hostAddress());
        }
    }

    /** From the process' response to the client's: the gateway's CORS headers stay unless the function sets its own. */
    static void back(MultiMap from, MultiMap to) {
        Set<String> named = namedByConnection(from);
        Set<String> replaced = new HashSet<>();
        for (Map.Entry<String, String> header : from) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (OF_ONE_CONNECTION.contains(name) || NOT_FOR_FUNCTIONS.contains(name) || named.contains(name)) {
                continue;
            }
            if (replaced.add(name)) {
                to.set(header.getKey(), header.getValue());
            } else {
                to.add(header.getKey(), header.getValue());
            }
        }
    }

    /** The query without the API key, which links carry there. */
    static String query(String query) {
        if (!query.contains(API_KEY)) {
            return query;
        }
        StringBuilder rest = new StringBuilder();
        for (String part : query.split("&", -1)) {
            if (!part.equals(API_KEY) && !part.startsWith(API_KEY + "=")) {
                rest.append(rest.isEmpty() ? "" : "&").append(part);
            }
        }
        return rest.toString();
    }

    /** TLS ends at the ingress, which sets the header; no decision depends on it. */
    private static String protocol(HttpServerRequest from) {
        String said = from.getHeader("x-forwarded-proto");
        return "https".equals(said) || from.isSSL() ? "https" : "http";
    }

    private static Set<String> namedByConnection(MultiMap headers) {
        Set<String> named = new HashSet<>();
        for (String value : headers.getAll("connection")) {
            for (String name : value.split(",")) {
                named.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return named;
    }
}
