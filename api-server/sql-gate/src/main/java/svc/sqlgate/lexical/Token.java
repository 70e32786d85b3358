package svc.sqlgate.lexical;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One token of a SQL text.
 *
 * @param start in UTF-16 units
 * @param end in UTF-16 units, exclusive
 * @param value of a word or a quoted identifier the name that it stands for; of everything else the text itself
 */
public record Token(Kind kind, int start, int end, String value) {
    /** PostgreSQL cuts longer names off, in UTF-8. */
    private static final int NAME_BYTES = 63;

    /** The kinds of tokens. */
    public enum Kind {
        /** A keyword or an identifier without quotes; folded to lower case. */
        WORD,
        /** An identifier in double quotes. */
        QUOTED,
        /** A string constant of any form, with all its continuations. */
        STRING,
        /** A number, or a parameter's. */
        NUMBER,
        /** An operator or punctuation. */
        SYMBOL
    }

    /** The token that the scanner has found between these places, which is no comment. */
    static Token of(String text, int start, int end) {
        String raw = text.substring(start, end);
        Kind kind = kind(text, start, end);
        return new Token(
                kind,
                start,
                end,
                switch (kind) {
                    case WORD -> truncated(folded(raw));
                    case QUOTED -> truncated(QuotedText.of(raw).value());
                    default -> raw;
                });
    }

    /** Of the token between these places. */
    static Kind kind(String text, int start, int end) {
        char first = text.charAt(start);
        char second = end - start > 1 ? text.charAt(start + 1) : 0;
        boolean unicode = end - start > 2 && text.regionMatches(true, start, "u&", 0, 2);
        if (first == '"' || unicode && text.charAt(start + 2) == '"') {
            return Kind.QUOTED;
        }
        if (isNameStart(first)) {
            return text.charAt(end - 1) == '\'' ? Kind.STRING : Kind.WORD;
        }
        if (isDigit(first) || (first == '.' || first == '$') && isDigit(second)) {
            return Kind.NUMBER;
        }
        return first == '\'' || first == '$' && second != 0 ? Kind.STRING : Kind.SYMBOL;
    }

    private static boolean isNameStart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    public boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    /** @param word in lower case */
    public boolean isWord(String word) {
        return kind == Kind.WORD && value.equals(word);
    }

    public boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && value.charAt(0) == symbol;
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
