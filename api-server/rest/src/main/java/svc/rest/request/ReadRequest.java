package svc.rest.request;

import java.util.List;
import java.util.Map;

/**
 * A read of a relation, of a function's result or of the rows that a write affected.
 *
 * @param embedded the row selections of embedded resources, by their path of names or aliases
 */
public record ReadRequest(List<SelectItem> select, RowSelection rows, Map<List<String>, RowSelection> embedded) {
    public ReadRequest {
        select = List.copyOf(select);
        embedded = Map.copyOf(embedded);
    }
}
