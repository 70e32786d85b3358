package svc.server.architecture;

/**
 * A part of a source text between two marks: a comment, a string or a code span.
 *
 * @param end the mark behind it; the end of the text counts as well, except for a span of {@link Kind#CODE_SPAN}
 */
record Span(String begin, String end, Kind kind, Place place) {
    /** A code span is short: without a second mark within this number of characters the first one is text. */
    private static final int MAX_CODE_SPAN = 300;

    enum Kind {
        /** Has prose. */
        COMMENT,
        /** A backslash escapes the next character; ends with its line. */
        STRING,
        /** As a string, over several lines. */
        TEXT_BLOCK,
        /** Not read, and without escapes. */
        QUOTATION,
        CODE_SPAN
    }

    /** Where the first mark counts. */
    enum Place {
        ANYWHERE,
        /** At the beginning of a line, or after white space: a "#" of a shell or of YAML. */
        AFTER_SPACE,
        /** Where JavaScript expects an expression: a regular expression, not a division. */
        AFTER_OPERATOR
    }

    static Span comment(String begin, String end) {
        return new Span(begin, end, Kind.COMMENT, Place.ANYWHERE);
    }

    static Span string(String quote) {
        return new Span(quote, quote, Kind.STRING, Place.ANYWHERE);
    }

    static Span textBlock(String quote) {
        return new Span(quote, quote, Kind.TEXT_BLOCK, Place.ANYWHERE);
    }

    static Span quotation(String begin, String end) {
        return new Span(begin, end, Kind.QUOTATION, Place.ANYWHERE);
    }

    static Span code(String begin, String end) {
        return new Span(begin, end, Kind.CODE_SPAN, Place.ANYWHERE);
    }

    Span at(Place only) {
        return new Span(begin, end, kind, only);
    }

    boolean beginsAt(String text, int position) {
        return text.startsWith(begin, position)
                && switch (place) {
                    case ANYWHERE -> true;
                    case AFTER_SPACE -> position == 0 || Character.isWhitespace(text.charAt(position - 1));
                    case AFTER_OPERATOR -> {
                        int before = position - 1;
                        while (before >= 0 && text.charAt(before) == ' ') {
                            before--;
                        }
                        yield before < 0 || "\n(,=:[!&|?{;".indexOf(text.charAt(before)) >= 0;
                    }
                };
    }

    /** Behind the span that begins at this position; the position itself when there is none. */
    int endOf(String text, int position) {
        boolean escapes = kind == Kind.STRING || kind == Kind.TEXT_BLOCK;
        int from = position + begin.length();
        int limit = kind == Kind.CODE_SPAN ? Math.min(text.length(), from + MAX_CODE_SPAN) : text.length();
        for (int i = from; i < limit; i++) {
            if (escapes && text.charAt(i) == '\\') {
                i++;
            } else if (text.startsWith(end, i)) {
                return i + end.length();
            } else if (kind == Kind.STRING && text.charAt(i) == '\n') {
                return i;
            }
        }
        return kind == Kind.CODE_SPAN ? position : text.length();
    }
}
