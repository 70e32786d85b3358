package svc.sqlgate.parser;

/** The result of PostgreSQL's lexer for one text. */
public sealed interface Scan {
    /** Its tokens, comments included. */
    record Scanned(TokenBounds tokens) implements Scan {}

    /** @param fault {@link ParseResult.Unparseable} or {@link ParseResult.Refused} */
    record Unscanned(ParseResult fault) implements Scan {}

    /** The two readings of one text together; the one that failed, if one did. */
    default ScannedScript with(ParseResult parse) {
        if (!(parse instanceof ParseResult.Parsed)) {
            return ScannedScript.unread(parse);
        }
        return switch (this) {
            case Scanned scanned -> new ScannedScript(parse, scanned.tokens());
            case Unscanned unscanned -> ScannedScript.unread(unscanned.fault());
        };
    }
}
