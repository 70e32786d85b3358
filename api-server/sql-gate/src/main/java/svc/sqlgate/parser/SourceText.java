package svc.sqlgate.parser;

import java.nio.charset.StandardCharsets;

/**
 * A text and the three ways to count in it: PostgreSQL's trees count bytes of UTF-8, its messages count characters, and
 * Java counts UTF-16 units.
 */
public final class SourceText {
    private final String text;
    private final int[] unitOfByte;

    public SourceText(String text) {
        this.text = text;
        this.unitOfByte = isAscii(text) ? null : unitsOfBytes(text);
    }

    /**
     * A place as a person counts it.
     *
     * @param line 1-based
     * @param column 1-based, in characters
     * @param position 1-based, in characters, from the beginning of the text
     */
    public record Place(int line, int column, int position) {}

    /** The UTF-16 index of a byte of the text's UTF-8 form; places beyond the end are the end. */
    public int unitOfByte(int offset) {
        if (unitOfByte == null) {
            return Math.min(offset, text.length());
        }
        return offset < unitOfByte.length ? unitOfByte[offset] : text.length();
    }

    /** The UTF-16 index of a 1-based character position. */
    public int unitOfPosition(int position) {
        int characters = text.codePointCount(0, text.length());
        return text.offsetByCodePoints(0, Math.min(Math.max(position - 1, 0), characters));
    }

    /** The place of a UTF-16 index. */
    public Place placeOfUnit(int unit) {
        int end = Math.min(Math.max(unit, 0), text.length());
        int lineStart = text.lastIndexOf('\n', end - 1) + 1;
        int line =
                1 + (int) text.chars().limit(lineStart).filter(c -> c == '\n').count();
        return new Place(line, 1 + text.codePointCount(lineStart, end), 1 + text.codePointCount(0, end));
    }

    /** The first index from {@code start} on where neither a blank nor a comment is; {@code end} when there is none. */
    public int skipBlanksAndComments(int start, int end) {
        int at = start;
        while (at < end) {
            if (isBlank(text.charAt(at))) {
                at++;
            } else if (text.startsWith("--", at)) {
                at = endOfLine(at, end);
            } else if (text.startsWith("/*", at)) {
                at = endOfComment(at, end);
            } else {
                return at;
            }
        }
        return end;
    }

    /** PostgreSQL's blanks; other blanks of Unicode are part of a name. */
    private static boolean isBlank(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /**
     * A carriage return ends a comment as well: a reader that takes it for part of the comment overlooks what follows.
     */
    private int endOfLine(int start, int end) {
        int at = start;
        while (at < end && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
        return at;
    }

    /** PostgreSQL's block comments nest. */
    private int endOfComment(int start, int end) {
        int depth = 0;
        int at = start;
        while (at < end) {
            if (text.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (text.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        return end;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static int bytesOf(int character) {
        // Half of a surrogate pair has no UTF-8: it is encoded as one question mark.
        if (character < 0x80 || Character.getType(character) == Character.SURROGATE) {
            return 1;
        }
        return character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    }

    private static int[] unitsOfBytes(String text) {
        int[] units = new int[text.getBytes(StandardCharsets.UTF_8).length];
        int at = 0;
        for (int unit = 0; unit < text.length(); ) {
            int character = text.codePointAt(unit);
            for (int i = 0; i < bytesOf(character); i++) {
                units[at++] = unit;
            }
            unit += Character.charCount(character);
        }
        return units;
    }
}
