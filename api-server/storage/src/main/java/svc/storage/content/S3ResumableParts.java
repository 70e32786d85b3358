package svc.storage.content;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.storage.content.StoreException.Kind;

/** Multipart uploads in the platform's bucket. What parts there are is asked of S3 and kept nowhere else. */
final class S3ResumableParts implements ResumableParts {
    private static final int NOT_FOUND = 404;

    private final S3ContentStore store;

    S3ResumableParts(S3ContentStore store) {
        this.store = store;
    }

    @Override
    public String begin(ContentKey key) {
        return store.run(
                key.projectId(),
                s3 -> s3.createMultipartUpload(
                                request -> request.bucket(store.bucket()).key(key.text()))
                        .uploadId());
    }

    @Override
    public boolean put(ContentKey key, String upload, int number, byte[] bytes, int length) {
        return isThere(() -> store.run(
                key.projectId(),
                s3 -> s3.uploadPart(
                        request -> request.bucket(store.bucket())
                                .key(key.text())
                                .uploadId(upload)
                                .partNumber(number),
                        S3ContentStore.body(bytes, length))));
    }

    @Override
    public boolean copy(ContentKey key, String upload, int number, ContentKey from, long first, long last) {
        return isThere(() -> store.run(
                key.projectId(),
                s3 -> s3.uploadPartCopy(request -> request.sourceBucket(store.bucket())
                        .sourceKey(from.text())
                        .copySourceRange("bytes=" + first + "-" + last)
                        .destinationBucket(store.bucket())
                        .destinationKey(key.text())
                        .uploadId(upload)
                        .partNumber(number))));
    }

    @Override
    public Optional<Stored> complete(ContentKey key, String upload, int parts, long size) {
        List<Part> all = new ArrayList<>();
        String[] etag = {""};
        boolean there = isThere(() -> all.addAll(listed(key, upload, parts)));
        if (there && !isWhole(all, parts, size)) {
            // Some stores list an upload that is complete already, without its parts.
            return Optional.of(completed(key, size)
                    .orElseThrow(() -> new StoreException(
                            Kind.FAILED, "the store lists " + all.size() + " parts of " + parts, null)));
        }
        there = there && isThere(() -> etag[0] = join(key, upload, all));
        return there ? Optional.of(new Stored(key, etag[0], size, Instant.now())) : completed(key, size);
    }

    private String join(ContentKey key, String upload, List<Part> parts) {
        List<CompletedPart> all = parts.stream()
                .map(part -> CompletedPart.builder()
                        .partNumber(part.partNumber())
                        .eTag(part.eTag())
                        .build())
                .toList();
        return store.run(
                key.projectId(),
                s3 -> s3.completeMultipartUpload(request -> request.bucket(store.bucket())
                                .key(key.text())
                                .uploadId(upload)
                                .multipartUpload(whole -> whole.parts(all)))
                        .eTag());
    }

    /** Parts of the same number are the same bytes, whichever attempt has stored them; so their sizes tell enough. */
    private static boolean isWhole(List<Part> found, int parts, long size) {
        return found.size() == parts && found.stream().mapToLong(Part::size).sum() == size;
    }

    private List<Part> listed(ContentKey key, String upload, int parts) {
        List<Part> found = new ArrayList<>();
        Integer[] marker = {null};
        boolean more = true;
        while (more) {
            ListPartsResponse page = store.run(
                    key.projectId(),
                    s3 -> s3.listParts(request -> request.bucket(store.bucket())
                            .key(key.text())
                            .uploadId(upload)
                            .partNumberMarker(marker[0])));
            page.parts().stream().filter(part -> part.partNumber() <= parts).forEach(found::add);
            marker[0] = page.nextPartNumberMarker();
            more = Boolean.TRUE.equals(page.isTruncated()) && marker[0] != null;
        }
        return found;
    }

    private Optional<Stored> completed(ContentKey key, long size) {
        HeadObjectResponse[] head = {null};
        boolean there = isThere(() -> head[0] = store.run(
                key.projectId(),
                s3 -> s3.headObject(request -> request.bucket(store.bucket()).key(key.text()))));
        return there && head[0].contentLength() == size
                ? Optional.of(new Stored(key, head[0].eTag(), size, Instant.now()))
                : Optional.empty();
    }

    @Override
    public void abandon(ContentKey key) {
        List<MultipartUpload> uploads = store.run(
                key.projectId(),
                s3 -> s3.listMultipartUploads(
                                request -> request.bucket(store.bucket()).prefix(key.text()))
                        .uploads());
        for (MultipartUpload upload : uploads) {
            isThere(() -> store.run(
                    key.projectId(),
                    s3 -> s3.abortMultipartUpload(request ->
                            request.bucket(store.bucket()).key(key.text()).uploadId(upload.uploadId()))));
        }
    }

    private static boolean isThere(Runnable call) {
        try {
            call.run();
            return true;
        } catch (StoreException e) {
            if (e.getCause() instanceof S3Exception refused && refused.statusCode() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }
}
