package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import svc.rest.error.RestError;

/**
 * Reads CSV as RFC 4180 has it: a line of names, then a line for each row. Fields may be quoted, and hold line breaks
 * then.
 */
final class CsvBody {
    private final String text;
    private int at;
    private boolean moreInLine;

    private CsvBody(String text) {
        this.text = text;
    }

    /** The lines with their fields, empty lines left out; all have as many fields as the first. */
    static List<List<String>> lines(String text) {
        var reader = new CsvBody(text);
        List<List<String>> lines = new ArrayList<>();
        while (reader.at < text.length()) {
            List<String> line = reader.line();
            boolean blank = line.size() == 1 && line.getFirst().isEmpty();
            if (!blank) {
                if (!lines.isEmpty() && line.size() != lines.getFirst().size()) {
                    throw RestError.body("All lines must have same number of fields");
                }
                lines.add(line);
            }
        }
        return lines;
    }

    private List<String> line() {
        List<String> fields = new ArrayList<>();
        do {
            fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
            delimiter();
        } while (moreInLine);
        return fields;
    }

    private String plain() {
        int from = at;
        while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(from, at);
    }

    private String quoted() {
        var field = new StringBuilder();
        at++;
        while (true) {
            int end = text.indexOf('"', at);
            if (end < 0) {
                throw RestError.body("A quoted field of the CSV body does not end");
            }
            field.append(text, at, end);
            at = end + 1;
            if (at < text.length() && text.charAt(at) == '"') {
                field.append('"');
                at++;
            } else {
                return field.toString();
            }
        }
    }

    /** What stands after a field: a comma, the end of the line or of the body. */
    private void delimiter() {
        moreInLine = at < text.length() && text.charAt(at) == ',';
        if (at >= text.length()) {
            return;
        }
        if (text.startsWith("\r\n", at)) {
            at += 2;
        } else if (",\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        } else {
            throw RestError.body("A quoted field of the CSV body is followed by text");
        }
    }
}
