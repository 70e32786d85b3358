package svc.api.rest.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import svc.api.db.FlushRow;
import svc.api.rest.error.RestError;
import svc.api.rest.plan.Plan;
import svc.api.rest.query.MainQuery.Result;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.Preferences.Representation;
import svc.api.rest.request.Preferences.Resolution;

/** Fourth stage: the row of the statement to status, headers and body. Pure. */
public final class ResponseBuilder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NOTHING = new byte[0];

    private ResponseBuilder() {}

    /** Whether a write may be committed; otherwise {@link #of} answers with the error that says why not. */
    public static boolean acceptable(ApiRequest request, FlushRow row) {
        return refusal(request, row).isEmpty();
    }

    /** @throws RestError when the rows are not as the request wants them; a write was rolled back then */
    public static Response of(ApiRequest request, Plan plan, FlushRow row) {
        Optional<RestError> refusal = refusal(request, row);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return switch (plan) {
            case Plan.Read read -> read(request, read, row);
            case Plan.Insert insert -> insert(request, insert, row);
            case Plan.Update unused -> changed(request, row, updatedRange(request, row));
            case Plan.Delete unused -> changed(request, row, affectedRange(request, row));
        };
    }

    /** The answer to a write that has nothing to write. */
    public static Response ofNothing(ApiRequest request) {
        if (request.answer().singular()) {
            throw RestError.notSingular(0);
        }
        Map<String, String> headers = headers(request);
        headers.put("Content-Range", "*/" + (request.preferences().count() ? "0" : "*"));
        boolean insert = request.action() == ApiRequest.Action.INSERT;
        if (request.preferences().returns(Representation.REPRESENTATION)) {
            headers.put("Content-Type", request.answer().contentType());
            return new Response(insert ? 201 : 200, headers, "[]".getBytes(StandardCharsets.UTF_8));
        }
        return new Response(insert ? 201 : 204, headers, NOTHING);
    }

    private static Optional<RestError> refusal(ApiRequest request, FlushRow row) {
        long page = row.number(Result.PAGE);
        if (request.answer().singular() && page != 1) {
            return Optional.of(RestError.notSingular(page));
        }
        if (request.action().writes()
                && request.preferences().strictMaxAffected().isPresent()) {
            long affected = row.number(Result.AFFECTED);
            if (affected > request.preferences().strictMaxAffected().getAsLong()) {
                return Optional.of(RestError.maxAffected(affected));
            }
        }
        return Optional.empty();
    }

    private static Response read(ApiRequest request, Plan.Read read, FlushRow row) {
        long rows = row.number(Result.PAGE);
        long offset = read.output().read().rows().range().offset();
        Optional<Long> total = row.text(Result.TOTAL).map(Long::parseLong);
        if (total.isPresent() && offset > total.get()) {
            throw RestError.range(
                    "An offset of " + offset + " was requested, but there are only " + total.get() + " rows.");
        }
        boolean partial = total.isPresent() && rows < total.get();
        Map<String, String> headers = headers(request);
        headers.put("Content-Type", request.answer().contentType());
        headers.put("Content-Range", range(offset, rows, total));
        return new Response(partial ? 206 : 200, headers, body(row));
    }

    private static Response insert(ApiRequest request, Plan.Insert insert, FlushRow row) {
        Map<String, String> headers = headers(request);
        headers.put("Content-Range", affectedRange(request, row));
        String applied = request.preferences().applied(true, insert.conflict().isPresent());
        if (!applied.isEmpty()) {
            headers.put("Preference-Applied", applied);
        }
        row.text(Result.KEY)
                .filter(unused -> row.number(Result.AFFECTED) == 1)
                .ifPresent(key ->
                        headers.put("Location", location(insert.target().table().name(), key)));
        boolean merging = insert.conflict()
                .filter(conflict -> conflict.resolution() == Resolution.MERGE_DUPLICATES)
                .isPresent();
        long merged = row.text(Result.MERGED).map(Long::parseLong).orElse(0L);
        int status = merging && merged > 0 && merged == row.number(Result.AFFECTED) ? 200 : 201;
        if (!request.preferences().returns(Representation.REPRESENTATION)) {
            return new Response(status, headers, NOTHING);
        }
        headers.put("Content-Type", request.answer().contentType());
        return new Response(status, headers, body(row));
    }

    private static Response changed(ApiRequest request, FlushRow row, String range) {
        Map<String, String> headers = headers(request);
        headers.put("Content-Range", range);
        if (!request.preferences().returns(Representation.REPRESENTATION)) {
            return new Response(204, headers, NOTHING);
        }
        headers.put("Content-Type", request.answer().contentType());
        return new Response(200, headers, body(row));
    }

    private static String affectedRange(ApiRequest request, FlushRow row) {
        return "*/" + (request.preferences().count() ? row.number(Result.AFFECTED) : "*");
    }

    private static String updatedRange(ApiRequest request, FlushRow row) {
        long rows = row.number(Result.AFFECTED);
        return range(0, rows, request.preferences().count() ? Optional.of(rows) : Optional.empty());
    }

    private static String range(long offset, long rows, Optional<Long> total) {
        String which = rows == 0 ? "*" : offset + "-" + (offset + rows - 1);
        return which + "/" + total.map(String::valueOf).orElse("*");
    }

    private static byte[] body(FlushRow row) {
        return row.bytes(Result.BODY).orElse(NOTHING);
    }

    private static Map<String, String> headers(ApiRequest request) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.profile().ifPresent(profile -> headers.put("Content-Profile", profile));
        String applied = request.preferences().applied(request.action().writes(), false);
        if (!applied.isEmpty()) {
            headers.put("Preference-Applied", applied);
        }
        return headers;
    }

    private static String location(String table, String keyJson) {
        try {
            var query = new StringJoiner("&");
            JsonNode key = JSON.readTree(keyJson);
            for (Map.Entry<String, JsonNode> part : key.properties()) {
                query.add(encoded(part.getKey()) + "=eq."
                        + encoded(part.getValue().asText()));
            }
            return "/" + encoded(table) + "?" + query;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading a key that PostgreSQL wrote", e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
