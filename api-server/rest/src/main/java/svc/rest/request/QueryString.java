package svc.rest.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import svc.rest.error.RestError;

/** The parameters of a query string, decoded, in their order. */
public record QueryString(List<Parameter> parameters) {
    public QueryString {
        parameters = List.copyOf(parameters);
    }

    /** The parameters in the order of their names, without a key that is the gateway's affair. */
    List<Parameter> canonical() {
        return parameters.stream()
                .filter(parameter -> !parameter.key().equals("apikey"))
                .sorted(Comparator.comparing(Parameter::key))
                .toList();
    }

    /** A name and a value, decoded. */
    public record Parameter(String key, String value) {}

    /** Of a body that is a form: a name alone has an empty value. */
    static QueryString ofForm(String raw) {
        return read(raw, name -> true);
    }

    /** Of an address: a name alone is passed over, as PostgREST has it, but for the one that we give a meaning. */
    static QueryString ofAddress(String raw) {
        return read(raw, name -> name.substring(name.lastIndexOf('.') + 1).equals(RowSelection.Distinct.WORD));
    }

    private static QueryString read(String raw, Predicate<String> alone) {
        List<Parameter> parameters = new ArrayList<>();
        int from = 0;
        while (from < raw.length()) {
            int and = raw.indexOf('&', from);
            int to = and < 0 ? raw.length() : and;
            int equals = raw.indexOf('=', from);
            if (to > from) {
                boolean pair = equals >= 0 && equals < to;
                String name = decode(raw.substring(from, pair ? equals : to), true);
                if (pair || alone.test(name)) {
                    parameters.add(new Parameter(name, pair ? decode(raw.substring(equals + 1, to), true) : ""));
                }
            }
            from = to + 1;
        }
        return new QueryString(parameters);
    }

    /** All but those of {@code others}. */
    QueryString without(QueryString others) {
        return new QueryString(parameters.stream()
                .filter(parameter -> !others.parameters.contains(parameter))
                .toList());
    }

    Optional<String> first(String key) {
        return parameters.stream()
                .filter(parameter -> parameter.key().equals(key))
                .map(Parameter::value)
                .findFirst();
    }

    /**
     * Percent-decoding of UTF-8. Refuses what PostgreSQL's text cannot hold: a NUL, or bytes that are no UTF-8.
     *
     * @param plusIsSpace as in a query string; not in a path
     */
    static String decode(String raw, boolean plusIsSpace) {
        boolean plain = raw.indexOf('%') < 0 && (!plusIsSpace || raw.indexOf('+') < 0);
        String decoded = plain ? raw : decodeBytes(raw, plusIsSpace);
        if (decoded.indexOf('\0') >= 0) {
            throw RestError.parse("query string", "", 0, "NUL", "text");
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
            throw RestError.parse("query string", "", 0, "invalid UTF-8", "text");
        }
    }
}
