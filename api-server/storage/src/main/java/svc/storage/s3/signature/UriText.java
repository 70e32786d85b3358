package svc.storage.s3.signature;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoding as Signature Version 4 wants it: unreserved characters as they are, all others as upper-case hexadecimal. */
public final class UriText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private UriText() {}

    /** @param keep characters that stay besides the unreserved ones */
    public static String encode(String text, String keep) {
        return encode(text.getBytes(StandardCharsets.UTF_8), keep);
    }

    static String encode(byte[] bytes, String keep) {
        var encoded = new StringBuilder(bytes.length + 16);
        for (byte one : bytes) {
            char c = (char) (one & 0xff);
            boolean unreserved = c >= 'A' && c <= 'Z'
                    || c >= 'a' && c <= 'z'
                    || c >= '0' && c <= '9'
                    || c == '-'
                    || c == '_'
                    || c == '.'
                    || c == '~';
            if (unreserved || keep.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX.toHexDigits(one));
            }
        }
        return encoded.toString();
    }

    /** The bytes that a part of a request target stands for. A percent sign that begins nothing stands for itself. */
    static byte[] decode(String raw) {
        byte[] given = raw.getBytes(StandardCharsets.ISO_8859_1);
        var bytes = new ByteArrayOutputStream(given.length);
        for (int i = 0; i < given.length; i++) {
            boolean escape = given[i] == '%'
                    && i + 2 < given.length
                    && HexFormat.isHexDigit(given[i + 1])
                    && HexFormat.isHexDigit(given[i + 2]);
            if (escape) {
                bytes.write(HexFormat.fromHexDigit(given[i + 1]) << 4 | HexFormat.fromHexDigit(given[i + 2]));
                i += 2;
            } else {
                bytes.write(given[i]);
            }
        }
        return bytes.toByteArray();
    }

    /** The text that a part of a request target stands for. */
    public static String decoded(String raw) {
        return new String(decode(raw), StandardCharsets.UTF_8);
    }
}
