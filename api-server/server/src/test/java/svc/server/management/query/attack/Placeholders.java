package svc.server.management.query.attack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills an attack's text: {@code $S} and {@code $N} are the schemas of attacker and neighbour, {@code $T} and {@code $P} the
 * numbers of the neighbour's table and function in the catalog, {@code $F} a path that must stay empty. {@code {{U+FEFF}}}
 * is a code point, {@code {{200 x ab}}} a repetition, {@code {{hex C0AF}}} bytes of a body.
 */
final class Placeholders {
    private static final Pattern NAMED = Pattern.compile("\\$[SNTPF](?![A-Za-z0-9$])");
    private static final Pattern CODE_POINT = Pattern.compile("\\{\\{U\\+([0-9A-F]{4,6})}}");
    private static final Pattern REPEATED = Pattern.compile("\\{\\{(\\d+) x (.*?)}}", Pattern.DOTALL);
    private static final Pattern BYTES = Pattern.compile("\\{\\{hex ([0-9A-F]+)}}");

    private final Map<String, String> values;

    Placeholders(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    String fill(String text) {
        String filled = NAMED.matcher(text).replaceAll(found -> values.get(found.group()));
        filled = REPEATED.matcher(filled)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(2).repeat(Integer.parseInt(found.group(1)))));
        return CODE_POINT
                .matcher(filled)
                .replaceAll(
                        found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
    }

    byte[] bytes(String text) {
        String filled = fill(text);
        var out = new ByteArrayOutputStream();
        Matcher found = BYTES.matcher(filled);
        int from = 0;
        while (found.find()) {
            out.writeBytes(filled.substring(from, found.start()).getBytes(StandardCharsets.UTF_8));
            out.writeBytes(HexFormat.of().parseHex(found.group(1)));
            from = found.end();
        }
        out.writeBytes(filled.substring(from).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}
