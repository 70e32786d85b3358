package svc.api.management.query.gate.mapping;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Cuts a text into tokens by the rules of PostgreSQL's lexer (standard_conforming_strings is on). For texts that its
 * grammar has read already, so what is not closed ends with the text. Operators are cut into characters: no name hides in
 * one.
 */
final class Lexer {
    private static final int NAME_BYTES = 63;

    private final String text;
    private int at;

    Lexer(String text) {
        this.text = text;
    }

    /** The next token; null at the end. */
    Token next() {
        at = skipBlanks(at);
        if (at >= text.length()) {
            return null;
        }
        int start = at;
        char c = text.charAt(at);
        Token.Kind kind = prefixed(start, c);
        if (kind == null) {
            kind = plain(c);
        }
        return new Token(kind, start, at, value(kind, start));
    }

    /** E'', B'', X'', N'', U&'' and U&"": a letter that belongs to the quote behind it. */
    private Token.Kind prefixed(int start, char c) {
        char second = charAt(start + 1);
        boolean unicode = (c == 'u' || c == 'U') && second == '&';
        if (unicode && charAt(start + 2) == '"') {
            at = endOfQuoted(start + 3, '"');
            skipEscapeClause();
            return Token.Kind.QUOTED;
        }
        if (unicode && charAt(start + 2) == '\'') {
            endString(start + 3, false);
            skipEscapeClause();
            return Token.Kind.STRING;
        }
        if (second == '\'' && "eEbBxXnN".indexOf(c) >= 0) {
            endString(start + 2, c == 'e' || c == 'E');
            return Token.Kind.STRING;
        }
        return null;
    }

    private Token.Kind plain(char c) {
        if (c == '"') {
            at = endOfQuoted(at + 1, '"');
            return Token.Kind.QUOTED;
        }
        if (c == '\'') {
            endString(at + 1, false);
            return Token.Kind.STRING;
        }
        if (isNameStart(c)) {
            at = endOfName(at);
            return Token.Kind.WORD;
        }
        if (isDigit(c)) {
            at = endOfName(at);
            return Token.Kind.NUMBER;
        }
        int bodyStart = c == '$' ? QuotedText.dollarTagEnd(text, at) : -1;
        if (bodyStart > 0) {
            String tag = text.substring(at, bodyStart);
            int close = text.indexOf(tag, bodyStart);
            at = close < 0 ? text.length() : close + tag.length();
            return Token.Kind.STRING;
        }
        at++;
        return Token.Kind.SYMBOL;
    }

    private String value(Token.Kind kind, int start) {
        String raw = text.substring(start, at);
        return switch (kind) {
            case WORD -> truncated(folded(raw));
            case QUOTED -> truncated(QuotedText.of(raw).value());
            default -> raw;
        };
    }

    private void endString(int from, boolean backslashes) {
        at = endOfString(from, backslashes);
        // A constant goes on in the next line when nothing but blanks and comments, and at least one newline, is
        // between.
        for (int next = continuation(at); next > 0; next = continuation(at)) {
            at = endOfString(next + 1, backslashes);
        }
    }

    private int endOfString(int from, boolean backslashes) {
        if (!backslashes) {
            return endOfQuoted(from, '\'');
        }
        int i = from;
        while (i < text.length()) {
            if (text.charAt(i) == '\\') {
                i += 2;
            } else if (text.charAt(i) == '\'') {
                if (charAt(i + 1) != '\'') {
                    return i + 1;
                }
                i += 2;
            } else {
                i++;
            }
        }
        return text.length();
    }

    private int endOfQuoted(int from, char quote) {
        int i = from;
        while (i < text.length()) {
            if (text.charAt(i) != quote) {
                i++;
            } else if (charAt(i + 1) == quote) {
                i += 2;
            } else {
                return i + 1;
            }
        }
        return text.length();
    }

    private int continuation(int end) {
        int i = end;
        boolean newline = false;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r') {
                newline = true;
                i++;
            } else if (isBlank(c)) {
                i++;
            } else if (text.startsWith("--", i)) {
                i = endOfLine(i);
            } else {
                return newline && c == '\'' ? i : -1;
            }
        }
        return -1;
    }

    /** UESCAPE 'x' behind a U& token belongs to it. */
    private void skipEscapeClause() {
        int word = skipBlanks(at);
        if (text.regionMatches(true, word, "uescape", 0, 7)) {
            int quote = skipBlanks(word + 7);
            if (charAt(quote) == '\'') {
                at = endOfQuoted(quote + 1, '\'');
            }
        }
    }

    private int skipBlanks(int from) {
        int i = from;
        while (i < text.length()) {
            if (isBlank(text.charAt(i))) {
                i++;
            } else if (text.startsWith("--", i)) {
                i = endOfLine(i);
            } else if (text.startsWith("/*", i)) {
                i = endOfComment(i);
            } else {
                return i;
            }
        }
        return i;
    }

    private int endOfComment(int start) {
        int depth = 0;
        int i = start;
        while (i < text.length()) {
            if (text.startsWith("/*", i)) {
                depth++;
                i += 2;
            } else if (text.startsWith("*/", i)) {
                depth--;
                i += 2;
                if (depth == 0) {
                    return i;
                }
            } else {
                i++;
            }
        }
        return i;
    }

    private int endOfLine(int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\r') {
            i++;
        }
        return i;
    }

    private int endOfName(int from) {
        int i = from;
        while (i < text.length() && (isNameStart(text.charAt(i)) || isDigit(text.charAt(i)) || text.charAt(i) == '$')) {
            i++;
        }
        return i;
    }

    private char charAt(int index) {
        return index < text.length() ? text.charAt(index) : '\0';
    }

    private static boolean isNameStart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    /** In UTF-8 the server folds ASCII letters only. */
    private static String folded(String word) {
        return word.chars().allMatch(c -> c < 0x80) ? word.toLowerCase(Locale.ROOT) : foldedAscii(word);
    }

    private static String foldedAscii(String word) {
        var folded = new StringBuilder(word);
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                folded.setCharAt(i, (char) (c + 32));
            }
        }
        return folded.toString();
    }

    private static String truncated(String name) {
        if (name.length() * 3 <= NAME_BYTES || name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES) {
            return name;
        }
        int end = 0;
        int bytes = 0;
        while (end < name.length()) {
            int character = name.codePointAt(end);
            bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > NAME_BYTES) {
                break;
            }
            end += Character.charCount(character);
        }
        return name.substring(0, end);
    }
}
