package svc.sqlgate.lexical;

/**
 * PostgreSQL's classes of characters (its {@code scan.l}), for bytes of UTF-8; past the end of the text is none of them.
 */
final class Bytes {
    /** What is returned past the end: no class contains it, and no text does, since NUL is refused before. */
    static final int NONE = 0;

    private final byte[] text;

    Bytes(byte[] text) {
        this.text = text;
    }

    int length() {
        return text.length;
    }

    /** The byte as a number from 0 to 255. */
    int at(int index) {
        return index < text.length ? text[index] & 0xFF : NONE;
    }

    boolean is(int index, char c) {
        return at(index) == c;
    }

    boolean isPair(int index, char first, char second) {
        return at(index) == first && at(index + 1) == second;
    }

    boolean isNewline(int index) {
        return is(index, '\n') || is(index, '\r');
    }

    /** Blanks; those of Unicode are letters to PostgreSQL. */
    boolean isBlank(int index) {
        int c = at(index);
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    boolean isDigit(int index) {
        int c = at(index);
        return c >= '0' && c <= '9';
    }

    boolean isHexDigit(int index) {
        int c = at(index) | 0x20;
        return isDigit(index) || (c >= 'a' && c <= 'f');
    }

    /** A letter, an underscore, or any byte of a character outside of ASCII. */
    boolean isNameStart(int index) {
        int c = at(index);
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    boolean isTagPart(int index) {
        return isNameStart(index) || isDigit(index);
    }

    boolean isNamePart(int index) {
        return isTagPart(index) || is(index, '$');
    }

    boolean isOperator(int index) {
        int c = at(index);
        return c != NONE && "~!@#^&|`?+-*/%<>=".indexOf(c) >= 0;
    }

    /** The first index from {@code start} on that is no part of a name. */
    int endOfName(int start) {
        int at = start;
        while (isNamePart(at)) {
            at++;
        }
        return at;
    }

    /** The end of a comment that begins with two hyphens: its line's, without the line break. */
    int endOfLineComment(int start) {
        int at = start;
        while (at < text.length && !isNewline(at)) {
            at++;
        }
        return at;
    }
}
