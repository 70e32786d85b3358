package svc.storage.resumable;

import svc.storage.http.StorageError;

/** Refusals of TUS 1.0.0, in its statuses. */
final class TusError {
    private TusError() {}

    /** The client speaks another version, or none. */
    static StorageError version() {
        return StorageError.plain(
                412, "Precondition failed", "InvalidRequest", "Tus-Resumable must be " + TusHeaders.VERSION);
    }

    /** @param what such as {@code Upload-Length must be a whole number} */
    static StorageError header(String what) {
        return StorageError.plain(400, "Error", "InvalidRequest", what);
    }

    static StorageError mediaType() {
        return StorageError.plain(
                415, "invalid_mime_type", "InvalidMimeType", "Content-Type must be " + TusHeaders.MEDIA_TYPE);
    }

    static StorageError tooLarge() {
        return StorageError.plain(413, "Payload too large", "EntityTooLarge", "Maximum size exceeded");
    }

    /** @param offset at which the upload is */
    static StorageError conflict(long offset) {
        return StorageError.plain(
                409, "Conflict", "UploadOffsetConflict", "Upload-Offset conflict: the upload is at " + offset);
    }

    /** Also for an upload of another user. */
    static StorageError unknown() {
        return StorageError.plain(404, "not_found", "NoSuchUpload", "Upload not found");
    }

    static StorageError gone() {
        return StorageError.plain(410, "Gone", "NoSuchUpload", "The upload has expired or was ended");
    }

    /** A later request writes to the upload. */
    static StorageError locked() {
        return StorageError.plain(423, "Locked", "ResourceLocked", "Another request writes to this upload");
    }

    static StorageError ofParts() {
        return StorageError.plain(
                403, "Forbidden", "AccessDenied", "A final upload is made of its partial uploads and takes no bytes");
    }

    static StorageError checksum() {
        return StorageError.plain(460, "Checksum mismatch", "InvalidChecksum", "Upload-Checksum does not match");
    }

    static StorageError complete() {
        return StorageError.plain(
                400, "InvalidRequest", "InvalidRequest", "A complete upload is a file: delete it as one");
    }

    static StorageError incomplete() {
        return StorageError.plain(400, "InvalidRequest", "InvalidRequest", "A partial upload is not complete");
    }

    static StorageError tooMany() {
        return StorageError.plain(
                429,
                "too_many_uploads",
                "SlowDown",
                "Too many uploads have been begun and not completed. Complete or delete some of them.");
    }
}
