package svc.rest.fuzz;

import java.util.Map;
import java.util.TreeMap;

/**
 * An HTTP request as text.
 *
 * @param path percent-encoded, begins with a slash
 * @param query percent-encoded, without the question mark
 */
record FuzzRequest(String method, String ref, String path, String query, Map<String, String> headers, String body) {
    FuzzRequest {
        headers = new TreeMap<>(headers);
    }

    static FuzzRequest get(String path, String query) {
        return new FuzzRequest("GET", "", path, query, Map.of(), "");
    }

    static FuzzRequest of(String method, String path, String query, String body) {
        return new FuzzRequest(method, "", path, query, Map.of(), body);
    }

    FuzzRequest of(String project) {
        return new FuzzRequest(method, project, path, query, headers, body);
    }

    FuzzRequest with(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new FuzzRequest(method, ref, path, query, more, body);
    }

    FuzzRequest withMethod(String other) {
        return new FuzzRequest(other, ref, path, query, headers, body);
    }

    FuzzRequest withPath(String other) {
        return new FuzzRequest(method, ref, other, query, headers, body);
    }

    FuzzRequest withQuery(String other) {
        return new FuzzRequest(method, ref, path, other, headers, body);
    }

    FuzzRequest withBody(String other) {
        return new FuzzRequest(method, ref, path, query, headers, other);
    }

    String target() {
        return "/" + ref + path + (query.isEmpty() ? "" : "?" + query);
    }

    @Override
    public String toString() {
        String shown = method + " " + path + "?" + query + " " + headers + " " + body;
        return shown.length() <= 600 ? shown : shown.substring(0, 600) + "…(" + shown.length() + ")";
    }
}
