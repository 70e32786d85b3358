package svc.database.key;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Whose key, and which of its versions. Any difference in it gives unrelated keys.
 *
 * @param keyVersion 1 or higher; raised to rotate one kind of key of one project
 */
public record ProjectKeyScope(UUID projectId, Incarnation incarnation, int keyVersion) {
    public ProjectKeyScope {
        requireNonNull(projectId, "projectId is null");
        requireNonNull(incarnation, "incarnation is null");
        if (keyVersion < 1) {
            throw new IllegalArgumentException("a key version is 1 or higher");
        }
    }

    public ProjectKeyScope withKeyVersion(int version) {
        return new ProjectKeyScope(projectId, incarnation, version);
    }

    ByteBuffer fixedFields() {
        return ByteBuffer.allocate(2 * Long.BYTES + Incarnation.BYTES + Integer.BYTES)
                .putLong(projectId.getMostSignificantBits())
                .putLong(projectId.getLeastSignificantBits())
                .put(incarnation.bytes())
                .putInt(keyVersion)
                .flip();
    }
}
