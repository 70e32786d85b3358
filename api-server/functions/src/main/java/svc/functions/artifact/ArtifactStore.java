package svc.functions.artifact;

import java.util.Optional;
import java.util.UUID;

/**
 * Keeps archives of functions by project and content. Methods block; all of them throw {@link ArtifactsUnavailableException}
 * when the store is not configured or does not answer.
 */
public interface ArtifactStore {
    /** Keeps bytes, also when they are kept already. */
    ContentHash put(UUID projectId, byte[] archive);

    /** The bytes that were kept; empty when there are none of that content. */
    Optional<byte[]> find(UUID projectId, ContentHash hash);

    boolean contains(UUID projectId, ContentHash hash);

    /** Forgets one archive; nothing happens when there is none. */
    void delete(UUID projectId, ContentHash hash);

    /** Forgets all archives of a project. */
    void deleteAll(UUID projectId);
}
