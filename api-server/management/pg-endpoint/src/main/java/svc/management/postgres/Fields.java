package svc.management.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the fields of a message one behind the other. */
final class Fields {
    private final byte[] content;
    private int at;

    Fields(byte[] content) {
        this.content = content;
    }

    int int16() throws ProtocolException {
        need(2);
        int value = ((content[at] & 0xff) << 8) | (content[at + 1] & 0xff);
        at += 2;
        return value;
    }

    int int32() throws ProtocolException {
        need(4);
        int value = ByteBuffer.wrap(content, at, 4).getInt();
        at += 4;
        return value;
    }

    char letter() throws ProtocolException {
        need(1);
        return (char) (content[at++] & 0xff);
    }

    byte[] bytes(int length) throws ProtocolException {
        if (length < 0) {
            throw ProtocolException.violation("a field has a negative length");
        }
        need(length);
        byte[] value = Arrays.copyOfRange(content, at, at + length);
        at += length;
        return value;
    }

    /** Up to a NUL, in UTF-8. */
    String text() throws ProtocolException {
        int end = at;
        while (end < content.length && content[end] != 0) {
            end++;
        }
        if (end == content.length) {
            throw ProtocolException.violation("a text has no end");
        }
        String text = utf8(Arrays.copyOfRange(content, at, end));
        at = end + 1;
        return text;
    }

    boolean more() {
        return at < content.length;
    }

    static String utf8(byte[] bytes) throws ProtocolException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolException("22021", "a text is not UTF-8, the only encoding here");
        }
    }

    private void need(int length) throws ProtocolException {
        if (content.length - at < length) {
            throw ProtocolException.violation("a message is shorter than its fields");
        }
    }
}
