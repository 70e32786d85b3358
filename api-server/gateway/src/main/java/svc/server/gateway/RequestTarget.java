package svc.server.gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Rules for request targets, by plane. Pure. */
final class RequestTarget {
    private static final int USUAL_LENGTH = 2_048;

    /** 100 to 400 KB of SQL for 30 KB. */
    private static final int COPIES = 16;

    private static final String DIGITS = "0123456789ABCDEF";

    private RequestTarget() {}

    /** Whether it is a valid URI, as the framework's resources need. */
    static boolean isUri(String address) {
        try {
            new URI(address);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Whether each percent sign begins an encoded byte: otherwise two parsers may read different paths. */
    static boolean isReadable(String path) {
        for (int at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
            if (at + 2 >= path.length() || !isDigit(path.charAt(at + 1)) || !isDigit(path.charAt(at + 2))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The same text with every byte beyond ASCII percent-encoded, so that decoders need not know how it was sent.
     *
     * @param raw one character for each byte, as the HTTP layer provides it
     */
    static String encoded(String raw) {
        if (raw.chars().allMatch(c -> c < 0x80)) {
            return raw;
        }
        var encoded = new StringBuilder();
        for (byte one : raw.getBytes(StandardCharsets.ISO_8859_1)) {
            if (one >= 0) {
                encoded.append((char) one);
            } else {
                encoded.append('%').append(DIGITS.charAt(one >> 4 & 15)).append(DIGITS.charAt(one & 15));
            }
        }
        return encoded.toString();
    }

    /** The heap that a long target takes as filters, their plan and their SQL; usual ones are not counted. */
    static long weight(String target) {
        return target.length() <= USUAL_LENGTH ? 0 : (long) target.length() * COPIES;
    }

    /** The values of a parameter, each decoded if it is validly encoded. */
    static Stream<String> parameter(String query, String name) {
        return Stream.of(query.split("&"))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .map(value -> isReadable(value) ? URLDecoder.decode(value, StandardCharsets.UTF_8) : value);
    }

    private static boolean isDigit(char c) {
        return Character.digit(c, 16) >= 0 && c < 0x80;
    }
}
