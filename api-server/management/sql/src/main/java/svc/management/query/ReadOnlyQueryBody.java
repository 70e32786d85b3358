package svc.management.query;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of a call that reads. Unknown fields are rejected.
 *
 * @param query one or several statements
 * @param parameters values of {@code $1}, {@code $2}, … of a single statement
 */
@Schema(name = "ReadOnlyQueryBody")
public record ReadOnlyQueryBody(
        @Schema(
                required = true,
                description = "One or several SQL statements, at most 2 MB. They run in one READ ONLY transaction as"
                        + " the project's owner.",
                examples = "select * from todos where id = $1")
        String query,

        @Schema(description = "Values of $1, $2, … of a single statement, as in POST /database/query.")
        List<JsonParameter> parameters) {
    QueryBody options() {
        return new QueryBody(query, parameters, true, null, null);
    }
}
