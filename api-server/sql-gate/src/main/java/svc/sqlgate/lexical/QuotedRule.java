package svc.sqlgate.lexical;

/**
 * Where quoted tokens end: strings of all kinds, quoted names, dollar quotes, block comments. What is inside of them is
 * opaque but for what PostgreSQL takes for a way out or an escape of it.
 */
final class QuotedRule {
    private static final String OPEN_STRING = "unterminated quoted string";

    /** PostgreSQL's lexer reads what is behind each of them once more: 100,000 would take it minutes. */
    private static final int MAX_COMMENT_DEPTH = 100;

    private final Bytes text;

    QuotedRule(Bytes text) {
        this.text = text;
    }

    /** '…', N'…' and U&'…': two quotes are one, a backslash is a character. */
    int endOfString(int token, int quote) throws LexicalFault {
        return endOfParts(token, quote, true, false);
    }

    /** E'…': a backslash takes the next character with it. */
    int endOfEscapeString(int token, int quote) throws LexicalFault {
        return endOfParts(token, quote, true, true);
    }

    /** B'…' and X'…': two quotes are an end and a new string. */
    int endOfBitString(int token, int quote) throws LexicalFault {
        return endOfParts(token, quote, false, false);
    }

    /** A string and all that continue it on later lines. */
    private int endOfParts(int token, int firstQuote, boolean doubling, boolean escapes) throws LexicalFault {
        int quote = firstQuote;
        while (true) {
            int end = endOfPart(token, quote + 1, doubling, escapes);
            int next = continuation(end);
            if (next < 0) {
                return end;
            }
            quote = next;
        }
    }

    private int endOfPart(int token, int start, boolean doubling, boolean escapes) throws LexicalFault {
        int at = start;
        while (at < text.length()) {
            if (escapes && text.is(at, '\\')) {
                at += 2;
            } else if (doubling && text.isPair(at, '\'', '\'')) {
                at += 2;
            } else if (text.is(at, '\'')) {
                return at + 1;
            } else {
                at++;
            }
        }
        throw new LexicalFault(OPEN_STRING, token);
    }

    /**
     * The quote that continues a string, or -1: only blanks and line comments may stand between, and a line break that
     * ends none of those comments or the first of them. libpg_query's lexer stops at the comment, PostgreSQL's does not.
     */
    private int continuation(int end) {
        int at = end;
        while (!text.isNewline(at)) {
            if (text.isPair(at, '-', '-')) {
                at = text.endOfLineComment(at);
            } else if (text.isBlank(at)) {
                at++;
            } else {
                return -1;
            }
        }
        while (text.isBlank(at) || text.isPair(at, '-', '-')) {
            at = text.isBlank(at) ? at + 1 : text.endOfLineComment(at);
        }
        return text.is(at, '\'') ? at : -1;
    }

    /** "…" and U&"…". */
    int endOfName(int token, int quote) throws LexicalFault {
        int at = quote + 1;
        while (at < text.length()) {
            if (text.isPair(at, '"', '"')) {
                at += 2;
            } else if (text.is(at, '"')) {
                if (at == quote + 1) {
                    throw new LexicalFault("zero-length delimited identifier", token);
                }
                return at + 1;
            } else {
                at++;
            }
        }
        throw new LexicalFault("unterminated quoted identifier", token);
    }

    /** $tag$…$tag$; -1 when the dollar does not open one. */
    int endOfDollarQuote(int token) throws LexicalFault {
        int at = token + 1;
        if (text.isNameStart(at)) {
            while (text.isTagPart(at)) {
                at++;
            }
        }
        if (!text.is(at, '$')) {
            return -1;
        }
        int delimiter = at + 1 - token;
        for (int end = at + 1; end + delimiter <= text.length(); end++) {
            if (same(token, end, delimiter)) {
                return end + delimiter;
            }
        }
        throw new LexicalFault("unterminated dollar-quoted string", token);
    }

    private boolean same(int one, int other, int length) {
        for (int i = 0; i < length; i++) {
            if (text.at(one + i) != text.at(other + i)) {
                return false;
            }
        }
        return true;
    }

    /** Block comments nest. */
    int endOfComment(int token) throws LexicalFault {
        int depth = 0;
        int at = token;
        while (at < text.length()) {
            if (text.isPair(at, '/', '*')) {
                depth++;
                if (depth > MAX_COMMENT_DEPTH) {
                    throw new LexicalFault("comments nested more than " + MAX_COMMENT_DEPTH + " deep", token);
                }
                at += 2;
            } else if (text.isPair(at, '*', '/')) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        throw new LexicalFault("unterminated /* comment", token);
    }
}
