package svc.rest.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import svc.crds.project.service.ErrorVerbosity;
import svc.rest.error.RestError;
import svc.rest.response.Response.Header;

/** Renders errors: the body has the keys code, details, hint and message, or by the project's setting code and message. */
public final class ErrorResponses {
    private static final Pattern PLAIN_CODE = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

    private static final ObjectMapper JSON = new ObjectMapper();

    private ErrorResponses() {}

    public static Response of(RestError error, ErrorVerbosity verbosity) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("code", error.code());
        if (verbosity == ErrorVerbosity.VERBOSE) {
            body.put("details", error.details().orElse(null));
            body.put("hint", error.hint().orElse(null));
        }
        body.put("message", error.getMessage());
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json; charset=utf-8");
        // A function may set any text as the code.
        if (PLAIN_CODE.matches(error.code())) {
            headers.put("Proxy-Status", "PostgREST; error=" + error.code());
        }
        if (error.code().equals("PGRST003")) {
            headers.put("Retry-After", "1");
        }
        if (error.status() == 401) {
            headers.put("WWW-Authenticate", "Bearer");
        }
        List<Header> further;
        try {
            further = further(error, headers);
        } catch (RestError e) {
            return of(e, verbosity);
        }
        try {
            return new Response(error.status(), headers, further, JSON.writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing an error as JSON", e);
        }
    }

    /** A function's headers override the default ones; invalid headers are an error themselves. */
    private static List<Header> further(RestError error, Map<String, String> headers) {
        List<Header> further = new ArrayList<>();
        error.headers().forEach(header -> ResponseSettings.add(further, header.getKey(), header.getValue()));
        further.forEach(header -> headers.keySet().removeIf(name -> name.equalsIgnoreCase(header.name())));
        return further;
    }
}
