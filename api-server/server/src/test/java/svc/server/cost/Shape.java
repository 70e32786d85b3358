package svc.server.cost;

import java.nio.charset.StandardCharsets;

/** What a text is made of when it is long: each stands for a loop that some parser has. */
enum Shape {
    LETTERS("a"),
    /** Normalisation sorts runs of them. */
    COMBINING_MARKS("\u0316\u0301"),
    BLANKS(" "),
    COMMAS("a,"),
    BRACKETS("(a,"),
    DOTS("a."),
    ESCAPES("\\\"");

    private final String unit;

    Shape(String unit) {
        this.unit = unit;
    }

    /** So many bytes of UTF-8, at most. */
    String text(int bytes) {
        return unit.repeat(bytes / unit.getBytes(StandardCharsets.UTF_8).length);
    }

    /** So many bytes with all of it percent-encoded, or letters. */
    String encoded(int bytes) {
        return repeat(this == LETTERS ? unit : percent(unit), bytes);
    }

    /** In the value of a header: a character for each byte. */
    String header(int bytes) {
        return new String(text(bytes).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    static String repeat(String unit, int bytes) {
        return unit.repeat(Math.max(1, bytes / unit.length()));
    }

    static String percent(String text) {
        var encoded = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            encoded.append('%').append(String.format("%02X", one));
        }
        return encoded.toString();
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
