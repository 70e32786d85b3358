package svc.rest.request;

import svc.rest.error.RestError;

/** A position in a text, with errors in the format of PostgREST's parser. */
final class Cursor {
    private static final String END = "end of input";

    /** Characters that PostgREST does not allow in unquoted keys of JSON paths. */
    private static final String RESERVED_IN_KEY = "(:.,>)";

    private final String what;
    private final String text;
    private final int columnsBefore;
    private int at;

    /** @param what the parsed part, for errors: {@code filter}, {@code select parameter} */
    Cursor(String what, String text) {
        this(what, text, 0);
    }

    /** @param columnsBefore number of characters before the text that PostgREST counts */
    Cursor(String what, String text, int columnsBefore) {
        this.what = what;
        this.text = text;
        this.columnsBefore = columnsBefore;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    /** The next character, or NUL at the end; decoding refuses a NUL in the text. */
    char peek() {
        return atEnd() ? '\0' : text.charAt(at);
    }

    boolean looksAt(String expected) {
        return text.startsWith(expected, at);
    }

    boolean take(String expected) {
        if (!looksAt(expected)) {
            return false;
        }
        at += expected.length();
        return true;
    }

    void require(String expected) {
        if (take(expected)) {
            return;
        }
        if (expected.startsWith(text.substring(at))) {
            throw RestError.parseError(what, text, columnsBefore + at, END, "\"" + expected + "\"");
        }
        throw fail("\"" + expected + "\"");
    }

    void requireEnd() {
        if (!atEnd()) {
            throw fail(END);
        }
    }

    char next() {
        if (atEnd()) {
            throw fail("a character");
        }
        return text.charAt(at++);
    }

    String rest() {
        String rest = text.substring(at);
        at = text.length();
        return rest;
    }

    /** Up to one of these characters, or the end. */
    String until(String ends) {
        int from = at;
        while (!atEnd() && ends.indexOf(peek()) < 0) {
            at++;
        }
        return text.substring(from, at);
    }

    /** Lower-case letters and underscores. */
    String word() {
        int from = at;
        while (!atEnd() && ((peek() >= 'a' && peek() <= 'z') || peek() == '_')) {
            at++;
        }
        return text.substring(from, at);
    }

    int mark() {
        return at;
    }

    void reset(int mark) {
        at = mark;
    }

    void skipSpaces() {
        while (peek() == ' ') {
            at++;
        }
    }

    boolean looksAtName() {
        return !atEnd() && (peek() == '"' || isNamePart(peek()));
    }

    /**
     * Parses a name: quoted with backslash escapes, or letters and digits of any script, underscore, dollar, space, and a
     * dash that is not part of an arrow.
     */
    String name() {
        if (peek() == '"') {
            return quoted();
        }
        int from = at;
        while (!atEnd() && isNamePart(peek())) {
            at++;
        }
        String name = text.substring(from, at).strip();
        if (name.isEmpty()) {
            throw fail("field name (* or [a..z0..9_$])");
        }
        return name;
    }

    /** Parses an unquoted key of a JSON path. */
    String jsonKey() {
        int from = at;
        while (!atEnd() && RESERVED_IN_KEY.indexOf(peek()) < 0 && !looksAt("->")) {
            at++;
        }
        if (from == at) {
            throw fail("\"-\"", "digit", "any non reserved character different from: .,>()");
        }
        return text.substring(from, at);
    }

    String quoted() {
        require("\"");
        var content = new StringBuilder();
        while (!atEnd()) {
            char c = next();
            if (c == '"') {
                return content.toString();
            }
            content.append(c == '\\' && !atEnd() ? next() : c);
        }
        throw fail("\"\\\\\"", "\"\\\"\"");
    }

    /** Whether the quote at this position is closed. */
    boolean closesQuote() {
        for (int i = at + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return true;
            }
            i += c == '\\' ? 1 : 0;
        }
        return false;
    }

    /** The parse error at this position; PostgREST uses single quotes if the text could also end here. */
    RestError fail(String... expecting) {
        String last = expecting[expecting.length - 1];
        String quote = last.equals(END) ? "'" : "\"";
        String unexpected = atEnd() ? END : quote + Character.toString(text.codePointAt(at)) + quote;
        var expected = new StringBuilder(expecting[0]);
        for (int i = 1; i < expecting.length - 1; i++) {
            expected.append(", ").append(expecting[i]);
        }
        if (expecting.length > 1) {
            expected.append(" or ").append(last);
        }
        return RestError.parseError(what, text, columnsBefore + at, unexpected, expected.toString());
    }

    private boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c)
                || Character.isSurrogate(c)
                || c == '_'
                || c == '$'
                || c == ' '
                || (c == '-' && !looksAt("->"));
    }
}
