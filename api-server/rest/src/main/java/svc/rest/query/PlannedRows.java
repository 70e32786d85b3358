package svc.rest.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads PostgreSQL's estimated number of rows from {@code EXPLAIN (FORMAT JSON)}. */
public final class PlannedRows {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PlannedRows() {}

    public static long of(String explained) {
        try {
            return JSON.readTree(explained)
                    .path(0)
                    .path("Plan")
                    .path("Plan Rows")
                    .asLong();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading a plan that PostgreSQL wrote", e);
        }
    }
}
