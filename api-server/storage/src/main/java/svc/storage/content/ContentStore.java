package svc.storage.content;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Keeps the bytes of files. Methods block; all throw {@link StoreException}. */
public interface ContentStore {
    /** Bytes of a part, which an upload holds in memory: S3 takes 10,000 parts, and a file may have 50 GiB. */
    int PART_BYTES = 6 << 20;

    /** Stores the first {@code length} bytes in one piece. */
    Stored put(ContentKey key, byte[] bytes, int length);

    /** Begins to store in parts; nothing can be read before the upload is complete. */
    Parts begin(ContentKey key);

    /** Uploads in parts that outlive the process. */
    ResumableParts resumable();

    /**
     * Opens an upload in parts that a client numbers, and that outlasts this process.
     *
     * @return its id, for {@link #numbered}
     */
    String open(ContentKey key);

    NumberedUpload numbered(ContentKey key, String upload);

    /** A part of what is stored; empty when nothing is. */
    Optional<byte[]> read(ContentKey key, long from, int length);

    /** Stores the same bytes under another key of the same project; empty when there are none. */
    Optional<Stored> copy(ContentKey from, ContentKey to, long size);

    /** Deletes up to 1,000; does nothing for those that are not there. */
    void delete(List<ContentKey> keys);

    /** Deletes everything of a project that was stored, or whose upload began, before then. */
    void deleteAll(UUID projectId, Instant before);

    /** The projects that keep something here, if only parts. */
    Set<UUID> projects();

    /**
     * Everything of a project that was certainly stored before then, up to 1,000 at a time. S3 dates what came in parts by
     * the beginning of its upload, so that it counts as younger by {@link ContentSweeper#MAX_UPLOAD_TIME}.
     */
    void olderThan(UUID projectId, Instant before, Consumer<List<ContentKey>> page);

    /** Gives up uploads in parts that began before then. */
    void abandonParts(UUID projectId, Instant before);

    /** Deletes what was made of contents that no row names, if it is older. */
    default void sweepDerived(UUID projectId, Instant before, ContentSweeper.Rows rows) {
        // Most stores make nothing of contents.
    }

    /** An upload in parts. All but the last have the same size. */
    interface Parts {
        void add(byte[] bytes, int length);

        Stored complete();

        /** Removes what was stored; never fails. */
        void abandon();
    }

    /** A part of an upload with its client's number, 1 to 10,000. */
    record NumberedPart(int number, String etag) {}

    /** An upload in parts that are numbered. Parts may be sent in any order, again, and at the same time. */
    interface NumberedUpload {
        /** The entity tag of the part, in quotes; empty when there is no such upload. */
        Optional<String> put(int number, byte[] bytes, int length);

        /** A part of what is stored becomes the part; empty when it is not there, or the upload is not. */
        Optional<String> copy(int number, ContentKey from, long first, long last);

        /**
         * Makes one content of the parts; empty when there is no such upload.
         *
         * @param size of all together, in bytes
         */
        Optional<Stored> complete(List<NumberedPart> parts, long size);

        /** Removes what was stored; never fails. */
        void abandon();
    }
}
