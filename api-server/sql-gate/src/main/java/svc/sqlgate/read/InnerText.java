package svc.sqlgate.read;

import java.util.List;

/**
 * SQL inside of a statement.
 *
 * @param sql what was read, as one text; see {@link Origin} for how it came from the statement
 */
public record InnerText(Origin origin, String sql, List<ReadStatement> statements) {
    public InnerText {
        statements = List.copyOf(statements);
    }

    /** Where a text comes from. */
    public enum Origin {
        /** The body of a function in the language sql: the value of the string constant, as it is. */
        SQL_BODY,
        /** A statement of a PL/pgSQL block; PERFORM has become SELECT, and blanks stand for an INTO clause. */
        STATEMENT,
        /** An expression of a PL/pgSQL block, with SELECT before it. */
        EXPRESSION,
        /** An assignment of a PL/pgSQL block, with SELECT before it and a comma instead of its sign. */
        ASSIGNMENT,
        /** The expression after EXECUTE, with SELECT before it. */
        EXECUTED_EXPRESSION,
        /** The value of the one constant that is executed. */
        EXECUTED_CONSTANT
    }
}
