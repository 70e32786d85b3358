package svc.functions.artifact;

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

    /** Deletes one archive; does nothing if there is none. */
    void delete(UUID projectId, ContentHash hash);

    /** Deletes all archives of a project. */
    void deleteAll(UUID projectId);
}
