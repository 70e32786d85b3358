package svc.server.gateway;

import com.google.re2j.Pattern;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * CORS headers. Every origin may call unless the operator of the platform names some, because every credential is an explicit
 * header and none is a cookie. Every answer carries them, errors above all: without them a browser hides the whole answer from
 * the script.
 */
final class Cors {
    private static final List<String> REQUEST_HEADERS = List.of(
            "authorization",
            "x-client-info",
            "apikey",
            "content-type",
            "x-supabase-api-version",
            "x-retry-count",
            "accept",
            "accept-profile",
            "content-profile",
            "prefer",
            "range",
            "range-unit",
            "x-upsert",
            "cache-control",
            "x-metadata",
            "x-region",
            "x-request-id",
            "x-project-ref",
            "x-signature",
            "x-http-method-override",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "idempotency-key",
            "mcp-protocol-version",
            "mcp-session-id",
            "last-event-id",
            "traceparent",
            "tracestate",
            "baggage",
            "tus-resumable",
            "upload-length",
            "upload-metadata",
            "upload-offset",
            "upload-defer-length",
            "upload-concat",
            "upload-checksum");
    private static final String EXPOSED = String.join(
            ", ",
            "content-range",
            "content-profile",
            "content-encoding",
            "content-location",
            "content-disposition",
            "preference-applied",
            "x-supabase-api-version",
            "location",
            "date",
            "etag",
            "last-modified",
            "link",
            "retry-after",
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset",
            "ratelimit-limit",
            "ratelimit-remaining",
            "ratelimit-reset",
            "idempotency-replayed",
            "svc-result-cut",
            "www-authenticate",
            "mcp-protocol-version",
            "mcp-session-id",
            "x-total-count",
            "upload-offset",
            "upload-length",
            "upload-expires",
            "upload-metadata",
            "upload-defer-length",
            "upload-concat",
            "tus-resumable",
            "tus-version",
            "tus-extension",
            "tus-max-size",
            "tus-checksum-algorithm",
            "tus-complete",
            "sb-error-code",
            "sb-request-id",
            "x-request-id",
            "x-relay-error");
    private static final String METHODS = "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS";
    /** A day, as PostgREST says; browsers keep it for two hours at most (Chromium) or a day (Firefox). */
    private static final String MAX_AGE_SECONDS = "86400";

    private static final String ALLOW_ORIGIN = "access-control-allow-origin";
    private static final String EXPOSE_HEADERS = "access-control-expose-headers";
    private static final String VARY = "vary";
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final int MAX_ECHOED = 64;

    private final Set<String> origins;

    /** @param origins whose scripts may read answers, such as {@code https://app.example.com}; all when empty */
    Cors(Collection<String> origins) {
        this.origins =
                origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    /**
     * Headers of every answer.
     *
     * @param origin of the request; null when it has none
     */
    void onEveryAnswer(MultiMap headers, String origin) {
        if (origins.isEmpty()) {
            headers.set(ALLOW_ORIGIN, "*");
        } else if (origin == null || !origins.contains(origin.toLowerCase(Locale.ROOT))) {
            // Without the header a browser hides the answer. Others, such as servers, are answered as ever.
            return;
        } else {
            headers.set(ALLOW_ORIGIN, origin);
        }
        headers.set(EXPOSE_HEADERS, EXPOSED);
    }

    /** Whether the answer depends on the origin, so that caches must keep one for each. */
    boolean varies() {
        return !origins.isEmpty();
    }

    /** Adds the origin to what the answer depends on, after the service has named the rest. */
    static void onVaryingAnswer(MultiMap headers) {
        headers.add(VARY, "Origin");
    }

    /** Takes them back from an answer that no script of another origin may read. */
    static void onNoAnswer(MultiMap headers) {
        headers.remove(ALLOW_ORIGIN).remove(EXPOSE_HEADERS);
    }

    /** Whether the request is a preflight: any other OPTIONS request is a call, and needs its credentials. */
    static boolean isPreflight(HttpServerRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains("access-control-request-method");
    }

    /** Additional headers of the answer to a preflight: the known headers, and by name those that were requested. */
    static void onPreflight(MultiMap headers, String requestedHeaders) {
        headers.set("access-control-allow-methods", METHODS);
        headers.set("access-control-allow-headers", String.join(", ", allowedHeaders(requestedHeaders)));
        headers.set("access-control-max-age", MAX_AGE_SECONDS);
        headers.set(VARY, "access-control-request-headers");
    }

    private static Set<String> allowedHeaders(String requested) {
        Set<String> allowed = new LinkedHashSet<>(REQUEST_HEADERS);
        if (requested != null) {
            Arrays.stream(requested.split(","))
                    .map(name -> name.strip().toLowerCase(Locale.ROOT))
                    .filter(name -> HEADER_NAME.matcher(name).matches())
                    .limit(MAX_ECHOED)
                    .forEach(allowed::add);
        }
        return allowed;
    }
}
