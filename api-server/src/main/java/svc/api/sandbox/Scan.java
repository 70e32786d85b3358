package svc.api.sandbox;

import java.util.Optional;

/** What PostgreSQL's lexer says of one text, and by what audits know another. */
public sealed interface Scan {
    /**
     * @param fingerprint what scripts have in common that differ in constants, blanks and comments only: 16 hexadecimal
     *     digits; empty when the script cannot be read
     */
    record Scanned(TokenBounds tokens, Optional<String> fingerprint) implements Scan {}

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
