package svc.management.query.result;

import java.util.ArrayList;
import java.util.List;

/** Parses PostgreSQL's text format of a row: {@code (1,"a ""b""",,"(2,x)")}; an empty field is null. */
final class CompositeText {
    private final String text;
    private int at = 1;

    private CompositeText(String text) {
        this.text = text;
    }

    /**
     * @return each field's text, or null
     * @throws IllegalArgumentException for text that no server sends
     */
    static List<String> read(String text) {
        if (text.length() < 2 || text.charAt(0) != '(' || text.charAt(text.length() - 1) != ')') {
            throw new IllegalArgumentException("not the text of a row");
        }
        return new CompositeText(text).fields();
    }

    private List<String> fields() {
        List<String> fields = new ArrayList<>();
        int end = text.length() - 1;
        while (true) {
            fields.add(field(end));
            if (at >= end) {
                return fields;
            }
            at++;
        }
    }

    /** Up to the next comma outside of quotes. */
    private String field(int end) {
        int start = at;
        var field = new StringBuilder();
        boolean quoted = false;
        while (at < end && (quoted || text.charAt(at) != ',')) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < end) {
                field.append(text.charAt(++at));
            } else if (c != '"') {
                field.append(c);
            } else if (quoted && at + 1 < end && text.charAt(at + 1) == '"') {
                field.append('"');
                at++;
            } else {
                quoted = !quoted;
            }
            at++;
        }
        return at == start ? null : field.toString();
    }
}
