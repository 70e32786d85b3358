package svc.storage.content;

import java.io.Serial;
import java.util.Set;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The store failed, is not reachable, not configured, or too busy. */
public final class StoreException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int INSUFFICIENT_STORAGE = 507;

    private static final Set<String> FULL =
            Set.of("XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage", "QuotaExceeded");

    private final Kind kind;

    /** What can be done about it. */
    public enum Kind {
        /** Try again. */
        FAILED,
        /** The store has no space left: trying again does not help. */
        FULL,
        /** The project uses its share of connections. */
        BUSY,
        /** The platform's settings are incomplete. */
        NOT_CONFIGURED
    }

    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** A failure of the client of S3, or what the server answered. */
    static StoreException of(SdkException failure) {
        return new StoreException(
                isFull(failure) ? Kind.FULL : Kind.FAILED, "the store failed: " + failure.getMessage(), failure);
    }

    /** As servers of S3 say it: ours and Ceph by the status, MinIO by its own code. Amazon's is never full. */
    private static boolean isFull(SdkException failure) {
        return failure instanceof S3Exception refused
                && (refused.statusCode() == INSUFFICIENT_STORAGE
                        || refused.awsErrorDetails() != null
                                && FULL.contains(
                                        String.valueOf(refused.awsErrorDetails().errorCode())));
    }

    public Kind kind() {
        return kind;
    }
}
