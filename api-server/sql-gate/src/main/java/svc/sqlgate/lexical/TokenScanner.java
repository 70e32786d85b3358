package svc.sqlgate.lexical;

import svc.sqlgate.parser.TokenBounds;

/**
 * Finds the tokens of a script by PostgreSQL's lexical rules ({@code scan.l}, with standard_conforming_strings on).
 * Written after the rules and not after libpg_query: its worth is that it shares no line with the other reader. Comments
 * are tokens, so that nothing of the text but blanks is left out.
 *
 * <p>Where releases of PostgreSQL differ (junk after numbers, a vertical tab), the strict reading holds.
 */
final class TokenScanner {
    /** PostgreSQL cuts no operator off, it refuses it. */
    private static final int MAX_OPERATOR_LENGTH = 63;

    private final Bytes text;
    private final QuotedRule quoted;
    private final NumberRule numbers;

    private TokenScanner(byte[] utf8) {
        this.text = new Bytes(utf8);
        this.quoted = new QuotedRule(text);
        this.numbers = new NumberRule(text);
    }

    /** @throws LexicalFault when a token does not end, or ends in what belongs to no token */
    static TokenBounds scan(byte[] utf8) throws LexicalFault {
        var scanner = new TokenScanner(utf8);
        var found = new TokenBounds.Builder();
        int at = 0;
        while (at < utf8.length) {
            if (scanner.text.isBlank(at)) {
                at++;
            } else {
                int end = scanner.end(at);
                found.add(at, end);
                at = end;
            }
        }
        return found.build();
    }

    /** The end of the token that begins at {@code start}. */
    private int end(int start) throws LexicalFault {
        if (text.isPair(start, '-', '-')) {
            return text.endOfLineComment(start);
        }
        if (text.isPair(start, '/', '*')) {
            return quoted.endOfComment(start);
        }
        if (text.isNameStart(start)) {
            return endOfWord(start);
        }
        if (text.isDigit(start) || (text.is(start, '.') && text.isDigit(start + 1))) {
            return numbers.end(start);
        }
        if (text.isOperator(start)) {
            return endOfOperator(start);
        }
        return switch (text.at(start)) {
            case '\'' -> quoted.endOfString(start, start);
            case '"' -> quoted.endOfName(start, start);
            case '$' -> endOfDollar(start);
            case ':' -> text.is(start + 1, ':') || text.is(start + 1, '=') ? start + 2 : start + 1;
            case '.' -> text.is(start + 1, '.') ? start + 2 : start + 1;
            default -> start + 1;
        };
    }

    /** A name, or a string whose kind a letter says. */
    private int endOfWord(int start) throws LexicalFault {
        int letter = text.at(start) | 0x20;
        if (text.is(start + 1, '\'')) {
            switch (letter) {
                case 'b', 'x':
                    return quoted.endOfBitString(start, start + 1);
                case 'e':
                    return quoted.endOfEscapeString(start, start + 1);
                default:
                    // N'…' is the word NCHAR and a string: two tokens.
                    return start + 1;
            }
        }
        if (letter == 'u' && text.isPair(start + 1, '&', '\'')) {
            return quoted.endOfString(start, start + 2);
        }
        if (letter == 'u' && text.isPair(start + 1, '&', '"')) {
            return quoted.endOfName(start, start + 2);
        }
        return text.endOfName(start);
    }

    private int endOfDollar(int start) throws LexicalFault {
        if (text.isDigit(start + 1)) {
            return numbers.endOfParameter(start);
        }
        int end = quoted.endOfDollarQuote(start);
        return end < 0 ? start + 1 : end;
    }

    private int endOfOperator(int start) throws LexicalFault {
        int end = start;
        boolean withMark = false;
        while (text.isOperator(end) && !text.isPair(end, '-', '-') && !text.isPair(end, '/', '*')) {
            withMark |= "~!@#^&|`?%".indexOf(text.at(end)) >= 0;
            end++;
        }
        // An operator ends in a sign only when it has a character that no operator of standard SQL has: a=-1 are three
        // tokens.
        while (!withMark && end > start + 1 && (text.is(end - 1, '+') || text.is(end - 1, '-'))) {
            end--;
        }
        if (end - start > MAX_OPERATOR_LENGTH) {
            throw new LexicalFault("operator too long", start);
        }
        return end;
    }
}
