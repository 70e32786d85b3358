package svc.sqlgate.parser;

import com.fasterxml.jackson.databind.JsonNode;

/** The result of PL/pgSQL's grammar for the body of one function or DO block. */
public sealed interface BodyResult {
    /**
     * @param tree the block, with the text of each SQL statement and expression in it at {@code PLpgSQL_expr.query}
     */
    record Read(JsonNode tree) implements BodyResult {}

    record Unreadable(String message) implements BodyResult {}

    /** It was not asked, or did not come to an end. */
    record Refused(RefusedReason reason) implements BodyResult {}
}
