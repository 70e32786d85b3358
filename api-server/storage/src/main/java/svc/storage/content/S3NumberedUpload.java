package svc.storage.content;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.storage.content.ContentStore.NumberedPart;
import svc.storage.content.ContentStore.NumberedUpload;

/** A multipart upload of the platform's bucket, whose parts have the numbers that a client gives them. */
final class S3NumberedUpload implements NumberedUpload {
    private static final int NOT_FOUND = 404;

    private final S3ContentStore store;
    private final ContentKey key;
    private final String upload;

    S3NumberedUpload(S3ContentStore store, ContentKey key, String upload) {
        this.store = store;
        this.key = key;
        this.upload = upload;
    }

    @Override
    public Optional<String> put(int number, byte[] bytes, int length) {
        return found(() -> store.run(
                key.projectId(),
                s3 -> s3.uploadPart(
                                request -> request.bucket(store.bucket())
                                        .key(key.text())
                                        .uploadId(upload)
                                        .partNumber(number),
                                S3ContentStore.body(bytes, length))
                        .eTag()));
    }

    @Override
    public Optional<String> copy(int number, ContentKey from, long first, long last) {
        return found(() -> store.run(
                key.projectId(),
                s3 -> s3.uploadPartCopy(request -> request.sourceBucket(store.bucket())
                                .sourceKey(from.text())
                                .copySourceRange("bytes=" + first + "-" + last)
                                .destinationBucket(store.bucket())
                                .destinationKey(key.text())
                                .uploadId(upload)
                                .partNumber(number))
                        .copyPartResult()
                        .eTag()));
    }

    @Override
    public Optional<Stored> complete(List<NumberedPart> parts, long size) {
        List<CompletedPart> all = parts.stream()
                .map(part -> CompletedPart.builder()
                        .partNumber(part.number())
                        .eTag(part.etag())
                        .build())
                .toList();
        return found(() -> store.run(
                        key.projectId(),
                        s3 -> s3.completeMultipartUpload(request -> request.bucket(store.bucket())
                                        .key(key.text())
                                        .uploadId(upload)
                                        .multipartUpload(whole -> whole.parts(all)))
                                .eTag()))
                .map(etag -> new Stored(key, etag, size, Instant.now()))
                .or(() -> S3ResumableParts.completed(store, key, size));
    }

    @Override
    public void abandon() {
        S3Parts.abandon(store, key, upload);
    }

    private static Optional<String> found(Supplier<String> call) {
        try {
            return Optional.of(call.get());
        } catch (StoreException e) {
            if (e.getCause() instanceof S3Exception refused && refused.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
