package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/**
 * COPY between a table, or a query, and the client. Never with a file or a program of the server, in no role; the
 * relation, the columns, the query and the condition are judged as those of every statement.
 */
final class CopyRules {
    /** Of the PostgreSQL versions up to 18; one that a later version brings may name anything. */
    private static final Set<String> OPTIONS = Set.of(
            "format",
            "freeze",
            "delimiter",
            "null",
            "default",
            "header",
            "quote",
            "escape",
            "force_quote",
            "force_not_null",
            "force_null",
            "on_error",
            "reject_limit",
            "log_verbosity",
            "encoding");

    private CopyRules() {}

    /** @param alone whether it is the only statement of its script, and stands in no other */
    static Optional<Finding> judge(JsonNode tree, boolean alone) {
        if (tree.has("filename") || tree.path("is_program").asBoolean()) {
            return Optional.of(Finding.statement(
                    "COPY with a file or a program of the server",
                    "Use FROM STDIN and TO STDOUT; in psql \\copy reads and writes the client's files."));
        }
        if (!alone) {
            return Optional.of(Finding.statement(
                    "COPY together with other statements", "Send it alone, as a message of its own."));
        }
        for (JsonNode option : tree.path("options")) {
            String name = option.path("DefElem").path("defname").asText();
            if (!OPTIONS.contains(name)) {
                return Optional.of(Finding.statement("the option " + name + " of COPY", "Leave it out."));
            }
        }
        return Optional.empty();
    }

    /** Whether it writes rows of the relation that it names. */
    static boolean writes(String kind, JsonNode tree) {
        return kind.equals("CopyStmt") && tree.path("is_from").asBoolean();
    }
}
