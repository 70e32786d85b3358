package svc.storage.content;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.storage.content.ContentStore.NumberedPart;
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
        return store.open(key);
    }

    @Override
    public boolean put(ContentKey key, String upload, int number, byte[] bytes, int length) {
        return store.numbered(key, upload).put(number, bytes, length).isPresent();
    }

    @Override
    public boolean copy(ContentKey key, String upload, int number, ContentKey from, long first, long last) {
        return store.numbered(key, upload).copy(number, from, first, last).isPresent();
    }

    @Override
    public Optional<Stored> complete(ContentKey key, String upload, PartNumbers parts, long size) {
        List<Part> all = new ArrayList<>();
        boolean there = isThere(() -> all.addAll(listed(key, upload, parts)));
        if (there && !isWhole(all, parts, size)) {
            // Some stores list an upload that is complete already, without its parts.
            return Optional.of(completed(store, key, size)
                    .orElseThrow(() -> new StoreException(
                            Kind.FAILED, "the store lists " + all.size() + " parts of " + parts.count(), null)));
        }
        Optional<Stored> joined = there ? join(key, upload, all, size) : Optional.empty();
        return joined.or(() -> completed(store, key, size));
    }

    private Optional<Stored> join(ContentKey key, String upload, List<Part> parts, long size) {
        List<NumberedPart> all = parts.stream()
                .map(part -> new NumberedPart(part.partNumber(), part.eTag()))
                .toList();
        return store.numbered(key, upload).complete(all, size);
    }

    /** Each number was taken by one attempt, so sizes tell enough. */
    private static boolean isWhole(List<Part> found, PartNumbers parts, long size) {
        return found.size() == parts.count()
                && found.stream().mapToLong(Part::size).sum() == size;
    }

    private List<Part> listed(ContentKey key, String upload, PartNumbers parts) {
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
            page.parts().stream()
                    .filter(part -> parts.contain(part.partNumber()))
                    .forEach(found::add);
            marker[0] = page.nextPartNumberMarker();
            more = Boolean.TRUE.equals(page.isTruncated()) && marker[0] != null;
        }
        return found;
    }

    /** What an earlier call has put together, and whose answer was lost or could not be recorded. */
    static Optional<Stored> completed(S3ContentStore store, ContentKey key, long size) {
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
