package svc.storage.http;

import java.io.Serial;
import java.util.Optional;

/**
 * A refusal in storage-api's words. Clients read the status that is meant from the body: on the wire it is 400, but for
 * the few that storage-api sends as they are.
 */
public final class StorageError extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int BAD_REQUEST = 400;

    private final int httpStatus;
    private final int status;
    private final String error;
    private final String code;
    private final transient Optional<String> contentRange;

    private StorageError(int httpStatus, int status, String error, String code, String message) {
        this(httpStatus, status, error, code, message, Optional.empty());
    }

    private StorageError(
            int httpStatus, int status, String error, String code, String message, Optional<String> contentRange) {
        super(message, null, false, false);
        this.contentRange = contentRange;
        this.httpStatus = httpStatus;
        this.status = status;
        this.error = error;
        this.code = code;
    }

    private static StorageError meant(int status, String error, String code, String message) {
        return new StorageError(BAD_REQUEST, status, error, code, message);
    }

    /** With the same status in the answer and in its body. */
    public static StorageError plain(int status, String error, String code, String message) {
        return new StorageError(status, status, error, code, message);
    }

    public static StorageError noSuchBucket() {
        return meant(404, "Bucket not found", "NoSuchBucket", "Bucket not found");
    }

    public static StorageError noSuchObject() {
        return meant(404, "not_found", "NoSuchKey", "Object not found");
    }

    public static StorageError noSuchRoute(String method, String path) {
        return plain(404, "Not Found", "NotFound", "Route " + method + ":" + path + " not found");
    }

    public static StorageError bucketExists() {
        return meant(409, "Duplicate", "BucketAlreadyExists", "The resource already exists");
    }

    public static StorageError objectExists() {
        return meant(409, "Duplicate", "KeyAlreadyExists", "The resource already exists");
    }

    public static StorageError bucketNotEmpty() {
        return meant(409, "ResourceNotEmpty", "ResourceNotEmpty", "The bucket you tried to delete is not empty");
    }

    public static StorageError invalidBucketName() {
        return meant(400, "Invalid Input", "InvalidBucketName", "Bucket name invalid");
    }

    public static StorageError invalidKey(String name) {
        return meant(400, "InvalidKey", "InvalidKey", "Invalid key: " + name);
    }

    /** @param what such as {@code body must have required property 'name'} */
    public static StorageError invalidRequest(String what) {
        return meant(400, "Error", "InvalidRequest", what);
    }

    public static StorageError invalidMimeType(String type) {
        return meant(415, "invalid_mime_type", "InvalidMimeType", "mime type " + type + " is not supported");
    }

    /** @param size of the file, in bytes, which the answer names (RFC 9110, 15.5.17) */
    public static StorageError invalidRange(long size) {
        return new StorageError(
                416,
                416,
                "invalid_range",
                "InvalidRange",
                "The requested range is not satisfiable",
                Optional.of("bytes */" + size));
    }

    public static StorageError tooLarge() {
        return meant(413, "Payload too large", "EntityTooLarge", "The object exceeded the maximum allowed size");
    }

    /** @param limit in MiB, of all files of the project */
    public static StorageError quotaExceeded(long limit) {
        return meant(
                413,
                "Payload too large",
                "QuotaExceeded",
                "The project's files may have " + limit + " MiB together: spec.storage.totalSizeLimitMB");
    }

    /** @param limit in MiB, of what is sent in a month */
    public static StorageError egressExceeded(long limit) {
        return plain(
                402,
                "exceed_egress_quota",
                "EgressQuotaExceeded",
                "The project's files have sent the " + limit
                        + " MiB that they may send in a month: spec.storage.egressLimitMB");
    }

    public static StorageError metadataTooLarge() {
        return meant(413, "Payload too large", "EntityTooLarge", "user_metadata exceeded the maximum allowed size");
    }

    /** A policy, or a grant, does not allow it. */
    public static StorageError rowSecurity() {
        return meant(403, "Unauthorized", "AccessDenied", "new row violates row-level security policy");
    }

    /** Only the service-role key may do it. */
    public static StorageError serviceRoleOnly() {
        return plain(403, "Unauthorized", "AccessDenied", "Access denied: the service role is required");
    }

    public static StorageError invalidToken(String message) {
        return meant(400, "InvalidJWT", "InvalidJWT", message);
    }

    public static StorageError invalidSignature() {
        return meant(400, "InvalidSignature", "InvalidSignature", "Invalid signature");
    }

    /** SQL of the tenant has written them; smaller pages may be read. */
    public static StorageError rowsTooLarge() {
        return meant(
                413,
                "Payload too large",
                "EntityTooLarge",
                "The metadata of these files is too large or too deep to be read at once");
    }

    /** A trigger or a function of the tenant's has failed. */
    public static StorageError database(String message) {
        return meant(400, "DatabaseError", "DatabaseError", message);
    }

    public static StorageError disabled() {
        return meant(409, "FeatureNotEnabled", "FeatureNotEnabled", "Storage is disabled for this project");
    }

    /** @param what a part of the service */
    public static StorageError notBuilt(String what) {
        return plain(501, "not_implemented", "not_implemented", what + " is not available on this platform yet.");
    }

    public static StorageError tooSlow() {
        return plain(408, "body_timeout", "RequestTimeout", "The body arrived too slowly");
    }

    public static StorageError cutOff() {
        return plain(400, "Aborted", "Aborted", "The body ended before it was complete");
    }

    /** The project's share of memory or connections is in use; the call may be repeated. */
    public static StorageError slowDown() {
        return plain(
                429,
                "too_many_connections",
                "SlowDown",
                "The project's requests use all resources that they may have. Retry the request.");
    }

    /** @param reason why an image cannot be transformed */
    public static StorageError imageRefused(String reason) {
        return meant(422, "InvalidRequest", "InvalidRequest", reason);
    }

    /** The project has images transformed too often. */
    public static StorageError imageRate() {
        return plain(
                429,
                "too_many_requests",
                "SlowDown",
                "The project has too many images transformed that are not cached yet. Retry the request.");
    }

    /** All workers are in use, or the machine is too busy. */
    public static StorageError imagesBusy() {
        return plain(
                503, "image_processing_busy", "SlowDown", "Too many images are being transformed. Retry the request.");
    }

    /** No process can decode images here. */
    public static StorageError imagesUnavailable() {
        return plain(
                501,
                "FeatureNotEnabled",
                "FeatureNotEnabled",
                "Image transformation is not enabled on this platform. Originals are served under /object/.");
    }

    public static StorageError databaseTimeout() {
        return plain(544, "DatabaseTimeout", "DatabaseTimeout", "The connection to the database timed out");
    }

    public static StorageError databaseUnavailable() {
        return plain(503, "DatabaseUnavailable", "DatabaseUnavailable", "The database is unavailable");
    }

    /** The object store failed or does not answer. */
    public static StorageError storeFailed() {
        return plain(
                502,
                "upstream_failed",
                "InternalError",
                "The object store failed or is unreachable. Retry the request.");
    }

    /** The object store has no space left; the platform's administrators can help. */
    public static StorageError storeFull() {
        return plain(
                507,
                "insufficient_storage",
                "InsufficientStorage",
                "The platform's object store is full. Nothing was stored; files can still be read and deleted.");
    }

    /** The object store is not configured. */
    public static StorageError storeMissing(String why) {
        return plain(503, "storage_not_configured", "InternalError", "The object store is not configured. " + why);
    }

    public static StorageError internal() {
        return plain(500, "Internal", "InternalError", "The service failed while it processed this request");
    }

    /** Of the answer. */
    public int httpStatus() {
        return httpStatus;
    }

    /** That the body names. */
    public int status() {
        return status;
    }

    public String error() {
        return error;
    }

    public String code() {
        return code;
    }

    /** The header {@code Content-Range} of the answer. */
    public Optional<String> contentRange() {
        return contentRange;
    }

    /** Whether the same call may succeed soon. */
    public boolean passing() {
        return httpStatus == 429 || httpStatus == 502 || httpStatus == 503;
    }
}
