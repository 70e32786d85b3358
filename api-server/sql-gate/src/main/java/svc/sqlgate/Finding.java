package svc.sqlgate;

import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_OBJECT;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_STATEMENT;

import com.fasterxml.jackson.databind.JsonNode;
import svc.platform.problem.ProblemCode;

/**
 * Something in one statement that may not be.
 *
 * @param what names it, as the end of a sentence: "COPY", "the schema x"
 * @param hint what to do instead
 * @param location its byte in the text that was parsed; -1 when the tree does not say
 */
record Finding(ProblemCode code, String what, String hint, int location) {
    static final int NOWHERE = -1;

    static Finding statement(String what, String hint) {
        return new Finding(SQL_FORBIDDEN_STATEMENT, what, hint, NOWHERE);
    }

    static Finding object(String what, String hint) {
        return new Finding(SQL_FORBIDDEN_OBJECT, what, hint, NOWHERE);
    }

    /** The same at the location of a node, where it has one. */
    Finding at(JsonNode node) {
        int place = node.path("location").asInt(NOWHERE);
        return place < 0 ? this : new Finding(code, what, hint, place);
    }

    Finding at(int place) {
        return location >= 0 ? this : new Finding(code, what, hint, place);
    }
}
