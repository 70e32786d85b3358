package svc.api.rest.request;

import svc.api.rest.error.RestError;

/** Reads a text from left to right and says precisely where and why it cannot go on. */
final class Cursor {
    private final String what;
    private final String text;
    private int at;

    /** @param what is being read, for errors: {@code filter}, {@code select parameter} */
    Cursor(String what, String text) {
        this.what = what;
        this.text = text;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    /** The next character, or NUL at the end; a NUL in the text is refused where it is taken. */
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
        if (!take(expected)) {
            throw fail("\"" + expected + "\"");
        }
    }

    void requireEnd() {
        if (!atEnd()) {
            throw fail("end of input");
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

    /**
     * A name: in double quotes with backslash escapes, or letters and digits of any script, underscore, dollar, space, and
     * a dash that does not begin an arrow.
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

    String quoted() {
        require("\"");
        var content = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return content.toString();
            }
            content.append(c == '\\' ? next() : c);
        }
    }

    RestError fail(String expecting) {
        String unexpected = atEnd() ? "end of input" : "\"" + peek() + "\"";
        return RestError.parse(what, text, at, unexpected, expecting);
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
