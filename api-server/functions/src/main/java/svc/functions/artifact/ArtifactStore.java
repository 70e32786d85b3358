package svc.functions.artifact;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Stores archives of functions by project and content. Methods block; all throw {@link ArtifactsUnavailableException}
 * if the store is not configured or unreachable.
 */
public interface ArtifactStore {
    /** Stores bytes; idempotent. */
    ContentHash put(UUID projectId, byte[] archive);

    /** The stored bytes; empty if there are none with that content. */
    Optional<byte[]> find(UUID projectId, ContentHash hash);

    boolean contains(UUID projectId, ContentHash hash);

    /** All archives of a project, in no order. */
    List<Stored> list(UUID projectId);

    /** An archive in the store. */
    record Stored(ContentHash hash, Instant storedAt) {}

    /** Deletes one archive; does nothing if there is none. */
    void delete(UUID projectId, ContentHash hash);

    /** Deletes all archives of a project. */
    void deleteAll(UUID projectId);
}
