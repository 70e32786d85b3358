package svc.embedded.kubernetes.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;
import svc.embedded.kubernetes.json.Json;

/**
 * The journal's bytes: per entry its length, its CRC-32C and the payload: {@code P} or {@code D}, the version, the
 * key's four parts each ended by a line feed, and for {@code P} the object as JSON. A {@code V} entry holds only a
 * version: the highest that had been given out when the journal was rewritten.
 */
final class JournalFormat {
    private static final int HEADER = 8;
    private static final int MAX_PATH_LENGTH = 64 << 20;

    private JournalFormat() {}

    /** An entry read back; {@code object} is empty for removals and version marks, {@code key} for version marks. */
    record Read(long version, Optional<ObjectKey> key, Optional<StoredObject> object, int length) {}

    static ByteBuffer encode(Journal.Entry entry) {
        return switch (entry) {
            case Journal.Entry.Put put ->
                encode(
                        'P',
                        put.object().version(),
                        keyText(put.object().key()),
                        put.object().json());
            case Journal.Entry.Removal removal -> encode('D', removal.version(), keyText(removal.key()), new byte[0]);
        };
    }

    static ByteBuffer encodeVersion(long version) {
        return encode('V', version, "", new byte[0]);
    }

    private static ByteBuffer encode(char type, long version, String key, byte[] json) {
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        int payload = 1 + Long.BYTES + keyBytes.length + json.length;
        ByteBuffer buffer = ByteBuffer.allocate(HEADER + payload);
        buffer.position(HEADER);
        buffer.put((byte) type).putLong(version).put(keyBytes).put(json);
        CRC32C crc = new CRC32C();
        crc.update(buffer.array(), HEADER, payload);
        buffer.putInt(0, payload).putInt(Integer.BYTES, (int) crc.getValue());
        return buffer.rewind();
    }

    /** The next entry, or nothing when what follows is not a whole, undamaged one. */
    static Optional<Read> decode(ByteBuffer from) throws IOException {
        if (from.remaining() < HEADER) {
            return Optional.empty();
        }
        int start = from.position();
        int length = from.getInt(start);
        if (length < 1 + Long.BYTES || length > MAX_PATH_LENGTH || from.remaining() < HEADER + length) {
            return Optional.empty();
        }
        byte[] payload = new byte[length];
        from.get(start + HEADER, payload);
        CRC32C crc = new CRC32C();
        crc.update(payload, 0, length);
        if ((int) crc.getValue() != from.getInt(start + Integer.BYTES)) {
            return Optional.empty();
        }
        from.position(start + HEADER + length);
        return Optional.of(parse(payload, HEADER + length));
    }

    private static Read parse(byte[] payload, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(payload);
        char type = (char) buffer.get();
        long version = buffer.getLong();
        if (type == 'V') {
            return new Read(version, Optional.empty(), Optional.empty(), length);
        }
        ObjectKey key = new ObjectKey(line(buffer), line(buffer), line(buffer), line(buffer));
        if (type == 'D') {
            return new Read(version, Optional.of(key), Optional.empty(), length);
        }
        byte[] json = new byte[buffer.remaining()];
        buffer.get(json);
        StoredObject object = new StoredObject(key, version, (ObjectNode) Json.parse(json), json);
        return new Read(version, Optional.of(key), Optional.of(object), length);
    }

    private static String keyText(ObjectKey key) {
        return key.group() + '\n' + key.resource() + '\n' + key.namespace() + '\n' + key.name() + '\n';
    }

    private static String line(ByteBuffer buffer) {
        int start = buffer.position();
        while (buffer.get() != '\n') {
            continue;
        }
        return new String(buffer.array(), start, buffer.position() - start - 1, StandardCharsets.UTF_8);
    }
}
