package svc.management.types;

import java.util.function.IntFunction;

/** Lines of source code, and its string constants. */
final class SourceText {
    private final String step;
    private final StringBuilder text = new StringBuilder();
    private int depth;

    /** @param step one indentation */
    SourceText(String step) {
        this.step = step;
    }

    SourceText line(String line) {
        if (!line.isEmpty()) {
            text.append(step.repeat(depth)).append(line);
        }
        text.append('\n');
        return this;
    }

    SourceText open(String line) {
        line(line);
        depth++;
        return this;
    }

    /** Ends an indentation that no bracket closes. */
    SourceText undent() {
        depth--;
        return this;
    }

    SourceText close(String line) {
        return undent().line(line);
    }

    /**
     * A string constant. Only letters, digits, marks, symbols, punctuation and the blank stand for themselves: what is
     * invisible, ends a line or turns the direction of text is escaped.
     *
     * @param escape of a code point
     */
    static String quoted(String value, IntFunction<String> escape) {
        StringBuilder quoted = new StringBuilder("\"");
        value.codePoints().forEach(point -> {
            if (point == '"' || point == '\\') {
                quoted.append('\\').append((char) point);
            } else if (point == ' ' || isVisible(point)) {
                quoted.appendCodePoint(point);
            } else {
                quoted.append(escape.apply(point));
            }
        });
        return quoted.append('"').toString();
    }

    private static boolean isVisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
