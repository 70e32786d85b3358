package svc.api.management.query.gate.translation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import svc.api.sandbox.SourceText;

/**
 * A token of text that PostgreSQL's own scanner has accepted: enough to find words and parentheses that stand outside of
 * strings, quoted names and comments. It decides nothing: what is cut out by it is read again by the server.
 *
 * @param start where it begins, in UTF-16 units
 * @param end where the text goes on
 * @param text as it is written
 */
record Token(int start, int end, String text) {
    static List<Token> of(String sql) {
        List<Token> tokens = new ArrayList<>();
        var source = new SourceText(sql);
        int at = source.skipBlanksAndComments(0, sql.length());
        while (at < sql.length()) {
            int end = end(sql, at);
            tokens.add(new Token(at, end, sql.substring(at, end)));
            at = source.skipBlanksAndComments(end, sql.length());
        }
        return tokens;
    }

    boolean is(String symbol) {
        return text.equals(symbol);
    }

    /** @param word in lower case */
    boolean isWord(String word) {
        return text.toLowerCase(Locale.ROOT).equals(word);
    }

    /** Whether it is a string between dollar signs. */
    boolean isDollarString() {
        return text.length() > 1 && text.charAt(0) == '$' && text.charAt(text.length() - 1) == '$';
    }

    /** The length of what opens and closes a string between dollar signs. */
    int delimiter() {
        return text.indexOf('$', 1) + 1;
    }

    private static int end(String sql, int at) {
        char c = sql.charAt(at);
        if (c == '\'') {
            return quoted(sql, at, '\'', false);
        }
        if (c == '"') {
            return quoted(sql, at, '"', false);
        }
        if ((c == 'e' || c == 'E') && at + 1 < sql.length() && sql.charAt(at + 1) == '\'') {
            return quoted(sql, at + 1, '\'', true);
        }
        if (c == '$') {
            int string = dollarString(sql, at);
            return string > 0 ? string : at + 1;
        }
        if (!isWordPart(c)) {
            return at + 1;
        }
        int end = at;
        while (end < sql.length() && (isWordPart(sql.charAt(end)) || sql.charAt(end) == '$')) {
            end++;
        }
        return end;
    }

    private static int quoted(String sql, int open, char quote, boolean escapes) {
        int at = open + 1;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (escapes && c == '\\') {
                at += 2;
            } else if (c != quote) {
                at++;
            } else if (at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
                at += 2;
            } else {
                return at + 1;
            }
        }
        return sql.length();
    }

    /** The end of a string between dollar signs that opens here; 0 when none does. */
    private static int dollarString(String sql, int at) {
        int close = at + 1;
        while (close < sql.length() && isWordPart(sql.charAt(close))) {
            close++;
        }
        if (close >= sql.length() || sql.charAt(close) != '$' || Character.isDigit(sql.charAt(at + 1))) {
            return 0;
        }
        String delimiter = sql.substring(at, close + 1);
        int end = sql.indexOf(delimiter, close + 1);
        return end < 0 ? 0 : end + delimiter.length();
    }

    private static boolean isWordPart(char c) {
        return c == '_' || c >= 0x80 || Character.isLetterOrDigit(c);
    }
}
