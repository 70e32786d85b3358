package svc.management.query;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of a call that runs SQL. Unknown fields are rejected, so that a misspelt read_only is never ignored.
 *
 * @param query one or several statements
 * @param parameters values of {@code $1}, {@code $2}, … of a single statement
 * @param readOnly whether PostgreSQL must reject every write; false if omitted
 * @param timeoutSeconds the platform's default if omitted
 * @param claims of the caller whom the query parameter {@code as} names
 */
@Schema(name = "RunQueryBody")
public record QueryBody(
        @Schema(
                required = true,
                description = "One or several SQL statements, at most 2 MB. They run in one transaction as the"
                        + " project's owner.",
                examples = "insert into todos (title) values ('milk') returning *")
        String query,

        @Schema(
                description = "Values of $1, $2, … of a single statement: null, booleans, numbers, strings; arrays for"
                        + " array types; objects and arrays for json and jsonb.")
        List<JsonParameter> parameters,

        @Schema(
                name = "read_only",
                description = "Run in a READ ONLY transaction that is rolled back.",
                defaultValue = "false")
        Boolean readOnly,

        @Schema(
                name = "timeout_seconds",
                description = "Timeout in seconds, 1 to 300 unless configured otherwise.",
                defaultValue = "30")
        Integer timeoutSeconds,

        @Schema(
                type = SchemaType.OBJECT,
                implementation = Object.class,
                description = "With the query parameter as: the claims of the caller's token, for request.jwt.claims."
                        + " The claim role is added.",
                examples = "{\"sub\": \"00000000-0000-4000-8000-000000000001\"}")
        JsonParameter claims) {}
