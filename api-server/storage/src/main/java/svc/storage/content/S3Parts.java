package svc.storage.content;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** An upload in parts that one caller writes one behind the other. */
final class S3Parts implements ContentStore.Parts {
    private static final Logger LOG = Logger.getLogger(S3Parts.class);

    private final S3ContentStore store;
    private final ContentKey key;
    private final String upload;
    private final List<CompletedPart> parts = new ArrayList<>();
    private long size;

    S3Parts(S3ContentStore store, ContentKey key, String upload) {
        this.store = store;
        this.key = key;
        this.upload = upload;
    }

    @Override
    public void add(byte[] bytes, int length) {
        int number = parts.size() + 1;
        String etag = store.run(
                key.projectId(),
                s3 -> s3.uploadPart(
                                request -> request.bucket(store.bucket())
                                        .key(key.text())
                                        .uploadId(upload)
                                        .partNumber(number),
                                S3ContentStore.body(bytes, length))
                        .eTag());
        done(number, etag);
        size += length;
    }

    void copy(ContentKey from, long first, long last) {
        int number = parts.size() + 1;
        String etag = store.run(
                key.projectId(),
                s3 -> s3.uploadPartCopy(request -> request.sourceBucket(store.bucket())
                                .sourceKey(from.text())
                                .copySourceRange("bytes=" + first + "-" + last)
                                .destinationBucket(store.bucket())
                                .destinationKey(key.text())
                                .uploadId(upload)
                                .partNumber(number))
                        .copyPartResult()
                        .eTag());
        done(number, etag);
        size += last - first + 1;
    }

    private void done(int number, String etag) {
        parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
    }

    @Override
    public Stored complete() {
        String etag = store.run(
                key.projectId(),
                s3 -> s3.completeMultipartUpload(request -> request.bucket(store.bucket())
                                .key(key.text())
                                .uploadId(upload)
                                .multipartUpload(all -> all.parts(parts)))
                        .eTag());
        return new Stored(key, etag, size, Instant.now());
    }

    @Override
    public void abandon() {
        abandon(store, key, upload);
    }

    /** Gives up an upload in parts, whatever it has; a failure is left to the sweeper. */
    static void abandon(S3ContentStore store, ContentKey key, String upload) {
        try {
            store.run(
                    key.projectId(),
                    s3 -> s3.abortMultipartUpload(request ->
                            request.bucket(store.bucket()).key(key.text()).uploadId(upload)));
        } catch (StoreException e) {
            LOG.debugf(e, "an upload in parts of project %s was not given up", key.projectId());
        }
    }
}
