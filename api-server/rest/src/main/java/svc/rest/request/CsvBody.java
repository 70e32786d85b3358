package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import svc.rest.error.RestError;

/**
 * Parses CSV (RFC 4180) with a header line. Quoted fields may contain line breaks. As in PostgreSQL's COPY, an empty field
 * without quotes is null, and {@code ""} the empty text; {@code NULL} without quotes is null as in PostgREST.
 */
final class CsvBody {
    /** A field that means null. */
    private static final String NULL = "NULL";

    /** Written by spreadsheets before the first name. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final String text;
    private int at;
    private boolean moreInLine;

    private CsvBody(String text) {
        this.text = text;
    }

    /** The lines but the header as rows, without empty lines; all have the same number of fields. */
    static JsonBody rows(String text) {
        var reader = new CsvBody(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
        List<String> names = reader.nextLine(field -> field);
        List<String> line = names.isEmpty() ? names : reader.nextLine(CsvBody::value);
        if (line.isEmpty()) {
            throw RestError.invalidBody("Invalid CSV body: expected a header line and at least one row");
        }
        var rows = new JsonRows(names);
        for (; !line.isEmpty(); line = reader.nextLine(CsvBody::value)) {
            if (line.size() != names.size()) {
                throw RestError.invalidBody("All lines must have same number of fields");
            }
            rows.add(line);
        }
        return rows.done();
    }

    /** The meaning of a field without quotes. */
    private static String value(String field) {
        return field.isEmpty() || field.equals(NULL) ? null : field;
    }

    /** The fields of the next line that is not empty; none at the end. */
    private List<String> nextLine(UnaryOperator<String> unquoted) {
        while (at < text.length() && (text.charAt(at) == '\r' || text.charAt(at) == '\n')) {
            at++;
        }
        return at < text.length() ? line(unquoted) : List.of();
    }

    private List<String> line(UnaryOperator<String> unquoted) {
        List<String> fields = new ArrayList<>();
        do {
            if (fields.size() == JsonBody.MAX_KEYS) {
                throw RestError.invalidBody(
                        "The lines of the body exceed the limit of " + JsonBody.MAX_KEYS + " fields");
            }
            fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : unquoted.apply(plain()));
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
