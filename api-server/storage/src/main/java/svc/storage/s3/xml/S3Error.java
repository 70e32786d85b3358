package svc.storage.s3.xml;

import java.io.Serial;
import java.util.Optional;
import svc.storage.http.StorageError;

/** A refusal with S3's code and the HTTP status that clients of S3 expect with it. */
public final class S3Error extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final String code;
    private final transient Optional<String> contentRange;

    private S3Error(int status, String code, String message) {
        this(status, code, message, Optional.empty());
    }

    private S3Error(int status, String code, String message, Optional<String> contentRange) {
        super(message, null, false, false);
        this.contentRange = contentRange;
        this.status = status;
        this.code = code;
    }

    /** The same refusal in S3's terms. A status that only storage-api has becomes one that SDKs retry. */
    public static S3Error of(StorageError error) {
        return switch (error.code()) {
            case "SlowDown" -> new S3Error(UNAVAILABLE, "SlowDown", error.getMessage());
            case "DatabaseTimeout", "DatabaseUnavailable" ->
                new S3Error(UNAVAILABLE, "ServiceUnavailable", error.getMessage());
            case "ResourceNotEmpty" -> new S3Error(409, "BucketNotEmpty", error.getMessage());
            case "not_implemented" -> notImplemented(error.getMessage());
            case "Aborted" -> incompleteBody();
            case "InvalidKey" -> new S3Error(BAD_REQUEST, "InvalidKey", error.getMessage());
            default -> new S3Error(error.status(), error.code(), error.getMessage(), error.contentRange());
        };
    }

    public static S3Error accessDenied(String why) {
        return new S3Error(FORBIDDEN, "AccessDenied", why);
    }

    public static S3Error unknownAccessKey() {
        return new S3Error(
                FORBIDDEN, "InvalidAccessKeyId", "The access key id that you provided does not exist in this project.");
    }

    public static S3Error invalidToken() {
        return new S3Error(FORBIDDEN, "InvalidToken", "The session token is malformed, expired or of another project.");
    }

    public static S3Error signatureDoesNotMatch() {
        return new S3Error(
                FORBIDDEN,
                "SignatureDoesNotMatch",
                "The signature that was calculated of the request does not match the signature that you provided."
                        + " Check the secret, the signing method and the address.");
    }

    public static S3Error skewed() {
        return new S3Error(
                FORBIDDEN,
                "RequestTimeTooSkewed",
                "The difference between the request time and the server's time is too large.");
    }

    public static S3Error malformedAuthorization(String why) {
        return new S3Error(BAD_REQUEST, "AuthorizationHeaderMalformed", why);
    }

    public static S3Error malformedQueryAuthorization(String why) {
        return new S3Error(BAD_REQUEST, "AuthorizationQueryParametersError", why);
    }

    public static S3Error malformedXml(String why) {
        return new S3Error(BAD_REQUEST, "MalformedXML", why);
    }

    public static S3Error messageTooLong() {
        return new S3Error(BAD_REQUEST, "MaxMessageLengthExceeded", "Your request was too large.");
    }

    public static S3Error invalidRequest(String why) {
        return new S3Error(BAD_REQUEST, "InvalidRequest", why);
    }

    public static S3Error invalidArgument(String why) {
        return new S3Error(BAD_REQUEST, "InvalidArgument", why);
    }

    public static S3Error notImplemented(String what) {
        return new S3Error(501, "NotImplemented", what);
    }

    public static S3Error missingLength() {
        return new S3Error(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
    }

    /** The body has fewer or more bytes than was declared. */
    public static S3Error incompleteBody() {
        return new S3Error(
                BAD_REQUEST,
                "IncompleteBody",
                "You did not provide the number of bytes specified by the Content-Length HTTP header.");
    }

    public static S3Error payloadHashMismatch() {
        return new S3Error(
                BAD_REQUEST,
                "XAmzContentSHA256Mismatch",
                "The provided 'x-amz-content-sha256' header does not match what was computed.");
    }

    /** @param what such as {@code Content-MD5} */
    public static S3Error badDigest(String what) {
        return new S3Error(BAD_REQUEST, "BadDigest", "The " + what + " you specified did not match what was received.");
    }

    public static S3Error invalidDigest(String what) {
        return new S3Error(BAD_REQUEST, "InvalidDigest", "The " + what + " you specified is not valid.");
    }

    public static S3Error malformedTrailer() {
        return new S3Error(
                BAD_REQUEST,
                "MalformedTrailerError",
                "The request contained trailing data that was not well-formed or did not conform to the headers.");
    }

    public static S3Error preconditionFailed() {
        return new S3Error(412, "PreconditionFailed", "At least one of the preconditions you specified did not hold.");
    }

    public static S3Error noSuchUpload() {
        return new S3Error(
                404,
                "NoSuchUpload",
                "The specified multipart upload does not exist. It may have been completed, aborted or given up.");
    }

    public static S3Error invalidPart(int number) {
        return new S3Error(
                BAD_REQUEST,
                "InvalidPart",
                "Part " + number + " could not be found, or its entity tag does not match.");
    }

    public static S3Error invalidPartOrder() {
        return new S3Error(
                BAD_REQUEST, "InvalidPartOrder", "The list of parts was not in ascending order of their numbers.");
    }

    public static S3Error entityTooSmall() {
        return new S3Error(
                BAD_REQUEST,
                "EntityTooSmall",
                "Your proposed upload is smaller than the minimum allowed size: every part but the last has 5 MiB.");
    }

    public static S3Error tooManyUploads() {
        return new S3Error(
                BAD_REQUEST,
                "TooManyMultipartUploads",
                "You or the project have as many unfinished multipart uploads as allowed. Complete or abort some.");
    }

    public static S3Error metadataTooLarge() {
        return new S3Error(
                BAD_REQUEST,
                "MetadataTooLarge",
                "Your metadata headers exceed the maximum allowed metadata size of 2048 bytes.");
    }

    public static S3Error disabled() {
        return new S3Error(
                FORBIDDEN,
                "FeatureNotEnabled",
                "The S3 protocol is disabled for this project: spec.storage.s3Protocol.");
    }

    /** @param why such as {@code Invalid according to Policy: Policy expired.} */
    public static S3Error policyRefuses(String why) {
        return new S3Error(FORBIDDEN, "AccessDenied", "Invalid according to Policy: " + why);
    }

    /** The header {@code Content-Range} of the answer. */
    public Optional<String> contentRange() {
        return contentRange;
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }
}
