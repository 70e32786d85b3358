package svc.rest.response;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import svc.catalog.Routine;
import svc.postgres.flush.FlushRow;
import svc.rest.error.RestError;
import svc.rest.plan.Plan;
import svc.rest.plan.Rendering;
import svc.rest.query.MainQuery.Result;
import svc.rest.request.ApiRequest;
import svc.rest.request.Preferences.Representation;
import svc.rest.request.Preferences.Resolution;

/** Fourth stage: the statement's row to status, headers and body. Pure. */
public final class ResponseBuilder {
    private static final byte[] NOTHING = new byte[0];

    private final ApiRequest request;
    private final Plan plan;
    private final boolean endPreferred;

    /** @param endPreferred whether the caller's preference {@code tx} was applied */
    public ResponseBuilder(ApiRequest request, Plan plan, boolean endPreferred) {
        this.request = request;
        this.plan = plan;
        this.endPreferred = endPreferred;
    }

    /** Whether a write may be committed; otherwise {@link #of} throws the reason. */
    public boolean acceptable(FlushRow row) {
        return violation(row).isEmpty();
    }

    /**
     * Builds the response.
     *
     * @param total number of matching rows, if counted
     * @throws RestError if the result does not meet the request's conditions; a write was rolled back then
     */
    public Response of(FlushRow row, Optional<Long> total) {
        Optional<RestError> violation = violation(row);
        if (violation.isPresent()) {
            throw violation.get();
        }
        Response built = switch (plan) {
            case Plan.Read read -> read(read, row, total);
            case Plan.Insert insert -> insert(insert, row);
            case Plan.Upsert unused -> upsert(row);
            case Plan.Update unused -> changed(row, updatedRange(row));
            case Plan.Delete unused -> changed(row, affectedRange(row));
            case Plan.Call call -> call(call, row, total);
        };
        return ResponseSettings.over(built, row);
    }

    /** The response with an execution plan, the only column of the row. */
    public Response ofExplained(FlushRow row) {
        Map<String, String> headers = headers(false);
        headers.put("Content-Type", plan.output().rendering().mediaType().contentType());
        return new Response(
                200, headers, request.headOnly() ? NOTHING : row.bytes(0).orElse(NOTHING));
    }

    /** The response of a write without rows or columns. */
    public Response ofNothing() {
        if (plan.output().rendering().singular()) {
            throw RestError.notSingular(0);
        }
        Map<String, String> headers = headers(false);
        headers.put("Content-Range", "*/" + (request.preferences().count() ? "0" : "*"));
        boolean insert = request.action() == ApiRequest.Action.INSERT;
        boolean merging = request.preferences()
                .resolution()
                .filter(Resolution.MERGE_DUPLICATES::equals)
                .isPresent();
        int created = merging ? 200 : 201;
        if (request.preferences().returns(Representation.REPRESENTATION)) {
            headers.put("Content-Type", plan.output().rendering().mediaType().contentType());
            return new Response(insert ? created : 200, headers, "[]".getBytes(StandardCharsets.UTF_8));
        }
        return new Response(insert ? created : 204, headers, NOTHING);
    }

    private Optional<RestError> violation(FlushRow row) {
        long page = row.number(Result.PAGE);
        if (plan.output().rendering().singular() && page != 1 && !isVoid()) {
            return Optional.of(RestError.notSingular(page));
        }
        if (plan instanceof Plan.Upsert && row.number(Result.AFFECTED) != 1) {
            return Optional.of(RestError.upsertKey());
        }
        OptionalLong most = request.preferences().strictMaxAffected();
        boolean limited = request.action().writes() && request.action() != ApiRequest.Action.INSERT;
        if (most.isPresent() && (limited || plan instanceof Plan.Call)) {
            long affected = plan instanceof Plan.Call ? page : row.number(Result.AFFECTED);
            if (affected > most.getAsLong()) {
                return Optional.of(RestError.maxAffected(affected));
            }
        }
        return Optional.empty();
    }

    private boolean isVoid() {
        return plan instanceof Plan.Call call && call.routine().returns().shape() == Routine.Shape.VOID;
    }

    private Response read(Plan.Read read, FlushRow row, Optional<Long> total) {
        Map<String, String> headers = headers(false);
        ContentLocation.of(request).ifPresent(location -> headers.put("Content-Location", location));
        int status = ranged(read, row, total, headers);
        return rendered(status, headers, row);
    }

    private Response call(Plan.Call call, FlushRow row, Optional<Long> total) {
        Map<String, String> headers = headers(false);
        int status = ranged(call, row, total, headers);
        return isVoid() ? new Response(204, headers, NOTHING) : rendered(status, headers, row);
    }

    /** The status of a read; adds the Content-Range header. */
    private static int ranged(Plan plan, FlushRow row, Optional<Long> total, Map<String, String> headers) {
        long rows = row.number(Result.PAGE);
        long offset = plan.output().read().rows().range().offset();
        if (total.isPresent() && offset > total.get()) {
            throw RestError.offsetOutOfBounds(offset, total.get(), headers);
        }
        headers.put("Content-Range", range(offset, rows, total));
        return total.isPresent() && rows < total.get() ? 206 : 200;
    }

    private Response insert(Plan.Insert insert, FlushRow row) {
        Map<String, String> headers = headers(insert.conflict().isPresent());
        headers.put("Content-Range", affectedRange(row));
        row.text(Result.KEY)
                .filter(unused -> row.number(Result.AFFECTED) == 1)
                .ifPresent(key -> headers.put(
                        "Location",
                        ContentLocation.ofRow(insert.target().table().name(), key)));
        boolean merging = insert.conflict()
                .filter(conflict -> conflict.resolution() == Resolution.MERGE_DUPLICATES)
                .isPresent();
        int status = merging && merged(row) > 0 && merged(row) == row.number(Result.AFFECTED) ? 200 : 201;
        return represented() ? rendered(status, headers, row) : new Response(status, headers, NOTHING);
    }

    private Response upsert(FlushRow row) {
        Map<String, String> headers = headers(false);
        return represented()
                ? rendered(merged(row) > 0 ? 200 : 201, headers, row)
                : new Response(204, headers, NOTHING);
    }

    private Response changed(FlushRow row, String range) {
        Map<String, String> headers = headers(false);
        headers.put("Content-Range", range);
        return represented() ? rendered(200, headers, row) : new Response(204, headers, NOTHING);
    }

    private boolean represented() {
        return request.preferences().returns(Representation.REPRESENTATION);
    }

    /** Number of affected rows that existed before the insert. */
    private static long merged(FlushRow row) {
        return row.text(Result.MERGED).map(Long::parseLong).orElse(0L);
    }

    private String affectedRange(FlushRow row) {
        return "*/" + (request.preferences().count() ? row.number(Result.AFFECTED) : "*");
    }

    private String updatedRange(FlushRow row) {
        long rows = row.number(Result.AFFECTED);
        return range(0, rows, request.preferences().count() ? Optional.of(rows) : Optional.empty());
    }

    private static String range(long offset, long rows, Optional<Long> total) {
        String which = rows == 0 ? "*" : offset + "-" + (offset + rows - 1);
        return which + "/" + total.map(String::valueOf).orElse("*");
    }

    private Response rendered(int status, Map<String, String> headers, FlushRow row) {
        headers.put("Content-Type", plan.output().rendering().mediaType().contentType());
        byte[] body = row.bytes(Result.BODY).orElse(NOTHING);
        boolean digits = plan.output().body() && plan.output().rendering().binary();
        if (plan.output().body() && plan.output().rendering().format() instanceof Rendering.Format.Csv) {
            body = CsvNulls.quoted(body);
        }
        return new Response(
                status, headers, digits ? HexFormat.of().parseHex(new String(body, StandardCharsets.US_ASCII)) : body);
    }

    private Map<String, String> headers(boolean resolved) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.profile().ifPresent(profile -> headers.put("Content-Profile", profile));
        String applied = request.preferences().applied(request.action(), resolved, endPreferred);
        if (!applied.isEmpty()) {
            headers.put("Preference-Applied", applied);
        }
        return headers;
    }
}
