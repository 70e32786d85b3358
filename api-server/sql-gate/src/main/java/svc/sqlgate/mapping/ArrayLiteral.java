package svc.sqlgate.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the elements of an array in PostgreSQL's text format, of any number of dimensions. */
final class ArrayLiteral {
    private final String text;
    private final List<Element> elements = new ArrayList<>();
    private int at;

    /**
     * An element.
     *
     * @param value without quotes and escapes
     * @param start index of its first character, which may be a quote
     * @param end index behind its last
     */
    record Element(String value, int start, int end) {}

    private ArrayLiteral(String text) {
        this.text = text;
    }

    /** The elements that are texts; empty for a text that is not in braces or whose quotes do not end. */
    static Optional<List<Element>> of(String text) {
        String trimmed = text.strip();
        if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) {
            return Optional.empty();
        }
        var literal = new ArrayLiteral(text);
        return literal.read() ? Optional.of(literal.elements) : Optional.empty();
    }

    private boolean read() {
        while (at < text.length()) {
            char next = text.charAt(at);
            if (isStructure(next) || Character.isWhitespace(next)) {
                at++;
            } else if (next == '"') {
                if (!quoted()) {
                    return false;
                }
            } else {
                plain();
            }
        }
        return true;
    }

    private boolean quoted() {
        var value = new StringBuilder();
        for (int i = at + 1; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next == '"') {
                elements.add(new Element(value.toString(), at, i + 1));
                at = i + 1;
                return true;
            }
            if (next == '\\' && i + 1 < text.length()) {
                i++;
            }
            value.append(text.charAt(i));
        }
        return false;
    }

    /** Up to the next comma or brace; the blanks around it are not part of it. SQL's null is no element here. */
    private void plain() {
        int end = at;
        while (end < text.length() && !isStructure(text.charAt(end))) {
            end++;
        }
        String value = text.substring(at, end).stripTrailing();
        if (!value.equalsIgnoreCase("null")) {
            elements.add(new Element(value, at, at + value.length()));
        }
        at = end;
    }

    private static boolean isStructure(char character) {
        return character == '{' || character == '}' || character == ',';
    }
}
