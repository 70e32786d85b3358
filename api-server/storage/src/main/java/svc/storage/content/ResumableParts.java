package svc.storage.content;

import java.util.Optional;

/**
 * S3's multipart uploads by their id, so that any process can continue one. Methods block; all throw {@link StoreException}.
 * A part that is stored again replaces the one of the same number.
 */
public interface ResumableParts {
    /** Begins an upload and returns its id; nothing can be read before it is complete. */
    String begin(ContentKey key);

    /**
     * Stores the first {@code length} bytes as a part; only the last may have less than 5 MiB.
     *
     * @param number from 1
     * @return false when there is no such upload any more
     */
    boolean put(ContentKey key, String upload, int number, byte[] bytes, int length);

    /**
     * Stores a range of what is stored under another key of the same project as a part.
     *
     * @param last the last byte, inclusive
     * @return false when there is no such upload, or nothing under that key
     */
    boolean copy(ContentKey key, String upload, int number, ContentKey from, long first, long last);

    /**
     * Makes these parts what is stored. May be repeated: finds what an earlier call has completed.
     *
     * @param size that they must have together, in bytes
     * @return empty when there is no such upload any more, and nothing complete
     */
    Optional<Stored> complete(ContentKey key, String upload, PartNumbers parts, long size);

    /** Gives up all uploads of a key; does nothing where there is none. */
    void abandon(ContentKey key);
}
