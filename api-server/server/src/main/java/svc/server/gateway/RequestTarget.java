package svc.server.gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** What may stand in the address of a request, plane by plane. Pure. */
final class RequestTarget {
    private static final String DIGITS = "0123456789ABCDEF";

    private RequestTarget() {}

    /** Whether it is a URI by the letter, as the framework's resources need it. */
    static boolean isUri(String address) {
        try {
            new URI(address);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Whether each percent sign begins an encoded byte: otherwise two readers may take a path for two. */
    static boolean isReadable(String path) {
        for (int at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
            if (at + 2 >= path.length() || !isDigit(path.charAt(at + 1)) || !isDigit(path.charAt(at + 2))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The same text with every byte beyond ASCII percent-encoded, so that those who decode it need to know nothing of how
     * it was sent.
     *
     * @param raw one character for each byte, as the HTTP layer gives it
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

    /** The first value of a parameter, decoded as far as it can be: text behind another parameter may be no encoding. */
    static Optional<String> parameter(String query, String name) {
        return Stream.of(query.split("&"))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .map(value -> isReadable(value) ? URLDecoder.decode(value, StandardCharsets.UTF_8) : value)
                .findFirst();
    }

    private static boolean isDigit(char c) {
        return Character.digit(c, 16) >= 0 && c < 0x80;
    }
}
