package svc.sqlgate.parser;

import java.util.List;

/** The result of PostgreSQL's grammar for a text. */
public sealed interface ParseResult {
    /**
     * It reads it.
     *
     * @param statements in their order; none for a text of blanks and comments
     */
    record Parsed(List<Statement> statements) implements ParseResult {
        public Parsed {
            statements = List.copyOf(statements);
        }
    }

    /**
     * It refuses it.
     *
     * @param message PostgreSQL's own
     * @param position 1-based, in characters (code points) as PostgreSQL counts; 0 when it names none
     */
    record Unparseable(String message, int position) implements ParseResult {}

    /** It was not asked, or did not come to an end: the text must be treated as unreadable. */
    record Refused(RefusedReason reason) implements ParseResult {}
}
