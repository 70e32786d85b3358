package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import svc.rest.error.RestError;

/** Parses CSV (RFC 4180) with a header line. Quoted fields may contain line breaks. */
final class CsvBody {
    /** A field that means null. */
    private static final String NULL = "NULL";

    private final String text;
    private int at;
    private boolean moreInLine;

    private CsvBody(String text) {
        this.text = text;
    }

    /** The lines but the header as rows, without empty lines; all have the same number of fields. */
    static JsonBody rows(String text) {
        var reader = new CsvBody(text);
        List<String> names = reader.nextLine();
        List<String> line = names.isEmpty() ? names : reader.nextLine();
        if (line.isEmpty()) {
            throw RestError.invalidBody("Invalid CSV body: expected a header line and at least one row");
        }
        var rows = new JsonRows(names);
        for (; !line.isEmpty(); line = reader.nextLine()) {
            if (line.size() != names.size()) {
                throw RestError.invalidBody("All lines must have same number of fields");
            }
            line.replaceAll(field -> field.equals(NULL) ? null : field);
            rows.add(line);
        }
        return rows.done();
    }

    /** The fields of the next line that is not empty; none at the end. */
    private List<String> nextLine() {
        while (at < text.length()) {
            List<String> line = line();
            boolean blank = line.size() == 1 && line.getFirst().isEmpty();
            if (!blank) {
                return line;
            }
        }
        return List.of();
    }

    private List<String> line() {
        List<String> fields = new ArrayList<>();
        do {
            if (fields.size() == JsonBody.MAX_KEYS) {
                throw RestError.invalidBody(
                        "The lines of the body exceed the limit of " + JsonBody.MAX_KEYS + " fields");
            }
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
