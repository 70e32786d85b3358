package svc.embedded.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Says what is the matter when the disk is full. S3Proxy answers a failed write with 500, which clients repeat; other
 * servers of S3 answer 507, which they do not.
 */
final class FullDisk {
    private static final int INSUFFICIENT_STORAGE = 507;
    private static final Set<String> WRITES =
            Set.of("putBlob", "copyBlob", "initiateMultipartUpload", "uploadMultipartPart", "completeMultipartUpload");

    private static final String NO_SPACE = "No space left on device";

    private volatile boolean pretended;

    void pretend(boolean full) {
        pretended = full;
    }

    BlobStore around(BlobStore store) {
        return (BlobStore) Proxy.newProxyInstance(
                FullDisk.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (proxy, method, arguments) -> {
                    try {
                        if (pretended && WRITES.contains(method.getName())) {
                            throw new InvocationTargetException(new IOException(NO_SPACE));
                        }
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        if (!isFull(e.getCause())) {
                            throw e.getCause();
                        }
                        drain(arguments);
                        throw noSpace();
                    }
                });
    }

    /** A client that is still sending would see its connection break, and no answer. */
    private static void drain(Object[] arguments) throws IOException {
        for (Object argument : arguments) {
            if (argument instanceof InputStream body) {
                body.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    /** As Linux words it, for a file system and for a quota of one. */
    private static boolean isFull(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause instanceof IOException ? String.valueOf(cause.getMessage()) : "";
            if (message.contains(NO_SPACE) || message.contains("Disk quota exceeded")) {
                return true;
            }
        }
        return false;
    }

    private static RuntimeException noSpace() {
        return S3Exception.builder()
                .statusCode(INSUFFICIENT_STORAGE)
                .message("The disk is full")
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("InsufficientStorage")
                        .errorMessage("The disk is full")
                        .build())
                .build();
    }
}
