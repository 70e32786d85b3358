package svc.sqlgate.parser;

/**
 * The results of PostgreSQL's grammar and of its lexer for one script, to be compared with each other.
 *
 * @param tokens none unless it was parsed and scanned
 */
public record ScannedScript(ParseResult parse, TokenBounds tokens) {
    /** Of a script that one of the two does not read. */
    public static ScannedScript unread(ParseResult fault) {
        return new ScannedScript(fault, TokenBounds.NONE);
    }
}
