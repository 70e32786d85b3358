package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import svc.rest.error.RestError;

/** Parses CSV (RFC 4180) with a header line. Quoted fields may contain line breaks. */
final class CsvBody {
    private final String text;
    private int at;
    private boolean moreInLine;

    private CsvBody(String text) {
        this.text = text;
    }

    /** The lines with their fields, without empty lines; all have the same number of fields. */
    static List<List<String>> lines(String text) {
        var reader = new CsvBody(text);
        List<List<String>> lines = new ArrayList<>();
        while (reader.at < text.length()) {
            List<String> line = reader.line();
            boolean blank = line.size() == 1 && line.getFirst().isEmpty();
            if (!blank) {
                if (!lines.isEmpty() && line.size() != lines.getFirst().size()) {
                    throw RestError.invalidBody("All lines must have same number of fields");
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
                throw RestError.invalidBody("Invalid CSV body: unterminated quoted field");
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

    /** Consumes the delimiter after a field: a comma, the end of the line or of the body. */
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
            throw RestError.invalidBody("Invalid CSV body: unexpected text after a quoted field");
        }
    }
}
