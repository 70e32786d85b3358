package svc.realtime.row;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import svc.catalog.DataType;
import svc.realtime.message.TextCursor;

/**
 * Writes values as PostgreSQL's {@code to_json} does, and so as the REST API: numbers, booleans, JSON and arrays as such,
 * timestamps in ISO 8601, everything else as a text. Values of composite types are texts here.
 */
final class JsonValues {
    private static final String DIGITS = "0123456789";

    private JsonValues() {}

    static void write(DataType type, String text, StringBuilder out) {
        DataType base = type.underlying();
        if (base.form() == DataType.Form.ARRAY && base.element().isPresent()) {
            if (!ArrayText.write(base.element().get(), text, out)) {
                quote(text, out);
            }
            return;
        }
        if (!base.id().schema().equals("pg_catalog")) {
            quote(text, out);
            return;
        }
        switch (base.name()) {
            case "int2", "int4", "int8", "numeric", "float4", "float8" -> number(text, out);
            case "bool" -> out.append(text.equals("t"));
            case "json", "jsonb" -> out.append(text);
            case "timestamp", "timestamptz" -> timestamp(text, out);
            default -> quote(text, out);
        }
    }

    static void quote(String text, StringBuilder out) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }

    /** NaN and infinity are no numbers of JSON. */
    private static void number(String text, StringBuilder out) {
        if (isNumber(new TextCursor(text))) {
            out.append(text);
        } else {
            quote(text, out);
        }
    }

    private static boolean isNumber(TextCursor text) {
        text.take("-");
        if (text.takeAll(DIGITS) == 0 || (text.take(".") && text.takeAll(DIGITS) == 0)) {
            return false;
        }
        if (text.take("eE")) {
            text.take("+-");
            return text.takeAll(DIGITS) > 0 && text.atEnd();
        }
        return text.atEnd();
    }

    /** A date, a time, perhaps a zone and an era, as PostgreSQL separates them; anything else, such as infinity, is a text. */
    private static void timestamp(String text, StringBuilder out) {
        var cursor = new TextCursor(text);
        boolean dated = cursor.takeDigits(4, 6)
                && cursor.take("-")
                && cursor.takeDigits(2, 2)
                && cursor.take("-")
                && cursor.takeDigits(2, 2);
        String date = cursor.since(0);
        if (!dated || !cursor.take(" ")) {
            quote(text, out);
            return;
        }
        int from = cursor.position();
        cursor.takeAll(DIGITS + ":.");
        String time = cursor.since(from);
        int zoneFrom = cursor.position();
        if (cursor.take("+-")) {
            cursor.takeAll(DIGITS + ":");
        }
        String zone = cursor.since(zoneFrom);
        boolean before = cursor.takeWord(" BC");
        if (time.isEmpty() || !cursor.atEnd()) {
            quote(text, out);
            return;
        }
        out.append('"').append(date).append('T').append(time).append(zone);
        out.append(zone.length() == 3 ? ":00" : "").append(before ? " BC" : "").append('"');
    }

    /** PostgreSQL's text form of arrays. */
    private static final class ArrayText {
        private static final int MAX_DEPTH = 6;

        private final DataType element;
        private final String text;
        private final StringBuilder out;
        private int at;

        private ArrayText(DataType element, String text, StringBuilder out) {
            this.element = element;
            this.text = text;
            this.out = out;
        }

        /** False when the text is not understood; nothing is written then. */
        static boolean write(DataType element, String text, StringBuilder out) {
            var written = new StringBuilder(text.length() + 16);
            var array = new ArrayText(element, text, written);
            // Bounds other than 1 stand before the values, as in [0:1]={a,b}.
            array.at = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
            // The delimiter of boxes is another one.
            if (element.name().equals("box") || !array.array(1) || array.at != text.length()) {
                return false;
            }
            out.append(written);
            return true;
        }

        private boolean array(int depth) {
            if (depth > MAX_DEPTH || at >= text.length() || text.charAt(at) != '{') {
                return false;
            }
            out.append('[');
            at++;
            boolean first = true;
            while (at < text.length()) {
                if (text.charAt(at) == '}') {
                    at++;
                    out.append(']');
                    return true;
                }
                if (!first) {
                    if (text.charAt(at) != ',') {
                        return false;
                    }
                    at++;
                    out.append(',');
                }
                first = false;
                if (!value(depth)) {
                    return false;
                }
            }
            return false;
        }

        private boolean value(int depth) {
            if (at >= text.length()) {
                return false;
            }
            if (text.charAt(at) == '{') {
                return array(depth + 1);
            }
            if (text.charAt(at) == '"') {
                return quoted();
            }
            int end = at;
            while (end < text.length() && text.charAt(end) != ',' && text.charAt(end) != '}') {
                end++;
            }
            String value = text.substring(at, end);
            at = end;
            if (value.equals("NULL")) {
                out.append("null");
            } else {
                JsonValues.write(element, value, out);
            }
            return true;
        }

        private boolean quoted() {
            var value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '"') {
                    at++;
                    JsonValues.write(element, value.toString(), out);
                    return true;
                }
                if (c == '\\' && at + 1 < text.length()) {
                    at++;
                }
                value.append(text.charAt(at));
            }
            return false;
        }
    }
}
