package svc.rest.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import svc.rest.error.RestError;

/**
 * The decoded parameters of a query string, in order.
 *
 * @param bare the names without an equals sign that are no parameters
 */
public record QueryString(List<Parameter> parameters, List<String> bare) {
    public QueryString {
        parameters = List.copyOf(parameters);
        bare = List.copyOf(bare);
    }

    /** A decoded name and value. */
    public record Parameter(String key, String value) {
        /** What follows the path of embedded resources: a reserved word or the field of a filter. */
        String lastSegment() {
            return QueryString.lastSegment(key);
        }
    }

    /** Parses a form: a name without an equals sign has an empty value. */
    static QueryString ofForm(String raw) {
        return read(raw, name -> true);
    }

    /** Parses the query of a URL: a name without an equals sign is no parameter, except {@code distinct}. */
    static QueryString ofAddress(String raw) {
        return read(raw, name -> lastSegment(name).equals(RowSelection.Distinct.WORD));
    }

    private static String lastSegment(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private static QueryString read(String raw, Predicate<String> alone) {
        List<Parameter> parameters = new ArrayList<>();
        List<String> bare = new ArrayList<>();
        int from = 0;
        int equals = raw.indexOf('=');
        while (from < raw.length()) {
            int and = raw.indexOf('&', from);
            int to = and < 0 ? raw.length() : and;
            // The next one is found once: otherwise each name without a value would search all of the rest.
            equals = equals < 0 || equals >= from ? equals : raw.indexOf('=', from);
            if (to > from) {
                boolean pair = equals >= 0 && equals < to;
                String name = decode(raw.substring(from, pair ? equals : to), true);
                if (pair || alone.test(name)) {
                    parameters.add(new Parameter(name, pair ? decode(raw.substring(equals + 1, to), true) : ""));
                } else {
                    bare.add(name);
                }
            }
            from = to + 1;
        }
        return new QueryString(parameters, bare);
    }

    /**
     * Percent-decodes UTF-8. Refuses NUL and invalid UTF-8, which PostgreSQL's text cannot contain.
     *
     * @param plusIsSpace true for a query string, false for a path
     */
    static String decode(String raw, boolean plusIsSpace) {
        boolean plain = raw.indexOf('%') < 0 && (!plusIsSpace || raw.indexOf('+') < 0);
        String decoded = plain ? raw : decodeBytes(raw, plusIsSpace);
        if (decoded.indexOf('\0') >= 0) {
            throw RestError.parseError("query string", "", 0, "NUL", "text");
        }
        return decoded;
    }

    private static String decodeBytes(String raw, boolean plusIsSpace) {
        byte[] in = raw.getBytes(StandardCharsets.UTF_8);
        var out = ByteBuffer.allocate(in.length);
        for (int i = 0; i < in.length; i++) {
            int high = in[i] == '%' && i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(in[i + 2], 16) : -1;
            if (low >= 0) {
                out.put((byte) (high * 16 + low));
                i += 2;
            } else {
                out.put(plusIsSpace && in[i] == '+' ? (byte) ' ' : in[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(out.flip()).toString();
        } catch (CharacterCodingException e) {
            throw RestError.parseError("query string", "", 0, "invalid UTF-8", "text");
        }
    }
}
