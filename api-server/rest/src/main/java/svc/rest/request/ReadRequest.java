package svc.rest.request;

import java.util.List;
import java.util.Map;

/**
 * What is to be read: of a relation, of the rows that a function returns, of the rows that a write touched.
 *
 * @param embedded which rows of the resources that {@code select} embeds, by the path of names or aliases to each
 */
public record ReadRequest(List<SelectItem> select, RowSelection rows, Map<List<String>, RowSelection> embedded) {
    public ReadRequest {
        select = List.copyOf(select);
        embedded = Map.copyOf(embedded);
    }
}
