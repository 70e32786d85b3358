package svc.sqlgate.parser;

/**
 * What PostgreSQL's grammar and its lexer say of one script, for whoever checks them against each other.
 *
 * @param tokens none unless it was parsed and scanned
 */
public record ScannedScript(ParseResult parse, TokenBounds tokens) {
    /** Of a script that one of the two does not read. */
    public static ScannedScript unread(ParseResult fault) {
        return new ScannedScript(fault, TokenBounds.NONE);
    }
}
