package svc.storage.content;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import svc.platform.budget.Budget;
import svc.platform.s3.MissingSettingException;
import svc.platform.s3.PlatformBucket;
import svc.platform.s3.SignedReads;
import svc.storage.content.StoreException.Kind;

/** Keeps the bytes of files in the platform's bucket. */
public final class S3ContentStore implements ContentStore {
    private static final int NOT_FOUND = 404;

    /** S3 copies no more in one call. */
    private static final long MAX_COPY = 5L << 30;

    private static final long COPIED_PART = 1L << 30;

    private final PlatformBucket platform;
    private final StoreConnections inUse;

    /** @param connections as many as the bucket's client has */
    public S3ContentStore(PlatformBucket platform, int connections) {
        this.platform = platform;
        this.inUse = new StoreConnections("store", connections);
    }

    /** The connections, for metrics. */
    public Budget connections() {
        return inUse.budget();
    }

    @Override
    public Stored put(ContentKey key, byte[] bytes, int length) {
        String etag = run(
                key.projectId(),
                s3 -> s3.putObject(request -> request.bucket(bucket()).key(key.text()), body(bytes, length))
                        .eTag());
        return new Stored(key, etag, length, Instant.now());
    }

    /** From the array itself: a copy of each part would double the memory of an upload. */
    static RequestBody body(byte[] bytes, int length) {
        return RequestBody.fromContentProvider(
                () -> new java.io.ByteArrayInputStream(bytes, 0, length), length, "application/octet-stream");
    }

    @Override
    public Parts begin(ContentKey key) {
        return new S3Parts(this, key, open(key));
    }

    @Override
    public String open(ContentKey key) {
        return run(
                key.projectId(),
                s3 -> s3.createMultipartUpload(
                                request -> request.bucket(bucket()).key(key.text()))
                        .uploadId());
    }

    @Override
    public NumberedUpload numbered(ContentKey key, String upload) {
        return new S3NumberedUpload(this, key, upload);
    }

    @Override
    public ResumableParts resumable() {
        return new S3ResumableParts(this);
    }

    @Override
    public Optional<byte[]> read(ContentKey key, long from, int length) {
        try {
            return readOnce(key, from, length);
        } catch (StoreException e) {
            if (e.getCause() instanceof IOException) {
                // The connection broke in the middle, which the client of S3 does not repeat.
                return readOnce(key, from, length);
            }
            throw e;
        }
    }

    private Optional<byte[]> readOnce(ContentKey key, long from, int length) {
        return run(key.projectId(), s3 -> {
            try (ResponseInputStream<GetObjectResponse> stream = s3.getObject(request ->
                    request.bucket(bucket()).key(key.text()).range("bytes=" + from + "-" + (from + length - 1)))) {
                byte[] bytes = stream.readNBytes(length);
                if (bytes.length < length) {
                    throw new StoreException(Kind.FAILED, "the store sent less than was asked for", null);
                }
                return Optional.of(bytes);
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new StoreException(Kind.FAILED, "while reading from the store", e);
            }
        });
    }

    @Override
    public Optional<Stored> copy(ContentKey from, ContentKey to, long size) {
        try {
            String etag = size <= MAX_COPY ? copyWhole(from, to) : copyInParts(from, to, size);
            return Optional.of(new Stored(to, etag, size, Instant.now()));
        } catch (StoreException e) {
            if (e.getCause() instanceof S3Exception refused && refused.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private String copyWhole(ContentKey from, ContentKey to) {
        return run(
                to.projectId(),
                s3 -> s3.copyObject(request -> request.sourceBucket(bucket())
                                .sourceKey(from.text())
                                .destinationBucket(bucket())
                                .destinationKey(to.text()))
                        .copyObjectResult()
                        .eTag());
    }

    private String copyInParts(ContentKey from, ContentKey to, long size) {
        var parts = new S3Parts(this, to, open(to));
        boolean whole = false;
        try {
            for (long at = 0; at < size; at += COPIED_PART) {
                parts.copy(from, at, Math.min(size, at + COPIED_PART) - 1);
            }
            String etag = parts.complete().etag();
            whole = true;
            return etag;
        } finally {
            if (!whole) {
                parts.abandon();
            }
        }
    }

    @Override
    public void delete(List<ContentKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<ObjectIdentifier> all = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key.text()).build())
                .toList();
        run(keys.getFirst().projectId(), s3 -> {
            if (all.size() == 1) {
                s3.deleteObject(
                        request -> request.bucket(bucket()).key(all.getFirst().key()));
            } else {
                s3.deleteObjects(request -> request.bucket(bucket())
                        .delete(what -> what.objects(all).quiet(true)));
            }
            return true;
        });
    }

    @Override
    public void deleteAll(UUID projectId, Instant before) {
        list(projectId, object -> object.lastModified().isBefore(before), this::delete);
        abandonParts(projectId, before);
    }

    @Override
    public Set<UUID> projects() {
        Set<UUID> found = new HashSet<>();
        String[] next = {null};
        do {
            ListObjectsV2Response page = run(
                    null,
                    s3 -> s3.listObjectsV2(
                            request -> request.bucket(bucket()).delimiter("/").continuationToken(next[0])));
            page.commonPrefixes().stream()
                    .map(CommonPrefix::prefix)
                    .forEach(prefix -> projectOf(prefix).ifPresent(found::add));
            next[0] = page.nextContinuationToken();
        } while (next[0] != null);
        // Of some there are only parts.
        run(null, s3 -> s3.listMultipartUploads(request -> request.bucket(bucket()))).uploads().stream()
                .map(MultipartUpload::key)
                .forEach(key -> projectOf(key).ifPresent(found::add));
        return found;
    }

    /** Empty for a key of another application. */
    private static Optional<UUID> projectOf(String key) {
        try {
            return Optional.of(UUID.fromString(key.substring(0, Math.max(0, key.indexOf('/')))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public void olderThan(UUID projectId, Instant before, Consumer<List<ContentKey>> consumer) {
        list(projectId, object -> stored(object).isBefore(before), consumer);
    }

    /** The latest time at which it can have been completed. */
    private static Instant stored(S3Object object) {
        boolean inParts = object.eTag() == null || object.eTag().contains("-");
        return inParts ? object.lastModified().plus(ContentSweeper.MAX_UPLOAD_TIME) : object.lastModified();
    }

    private void list(UUID projectId, Predicate<S3Object> wanted, Consumer<List<ContentKey>> consumer) {
        String[] next = {null};
        do {
            ListObjectsV2Response page = run(
                    projectId,
                    s3 -> s3.listObjectsV2(request -> request.bucket(bucket())
                            .prefix(ContentKey.prefix(projectId))
                            .continuationToken(next[0])));
            List<ContentKey> keys = new ArrayList<>();
            for (S3Object object : page.contents()) {
                if (wanted.test(object)) {
                    ContentKey.parse(projectId, object.key()).ifPresent(keys::add);
                }
            }
            if (!keys.isEmpty()) {
                consumer.accept(keys);
            }
            next[0] = page.nextContinuationToken();
        } while (next[0] != null);
    }

    @Override
    public void abandonParts(UUID projectId, Instant before) {
        List<MultipartUpload> uploads = run(
                projectId,
                s3 -> s3.listMultipartUploads(
                                request -> request.bucket(bucket()).prefix(ContentKey.prefix(projectId)))
                        .uploads());
        for (MultipartUpload upload : uploads) {
            if (upload.initiated() != null && upload.initiated().isBefore(before)) {
                ContentKey.parse(projectId, upload.key())
                        .ifPresent(key -> new S3Parts(this, key, upload.uploadId()).abandon());
            }
        }
    }

    /** Of the connections, which all that reads and writes the bucket shares. */
    StoreConnections inUse() {
        return inUse;
    }

    /** Connects, which may block, and says how reads are signed. */
    SignedReads connect() {
        return named(() -> {
            platform.client();
            return platform.reads().orElseThrow();
        });
    }

    /** Empty before the first call. */
    Optional<SignedReads> signedReads() {
        return platform.reads();
    }

    String bucket() {
        return platform.name();
    }

    /** @param projectId whose share of the connections is used; null for the platform's own work */
    <T> T run(UUID projectId, Function<S3Client, T> call) {
        return named(
                () -> inUse.take(projectId == null ? "" : projectId.toString(), () -> call.apply(platform.client())));
    }

    private static <T> T named(Supplier<T> call) {
        try {
            return call.get();
        } catch (MissingSettingException e) {
            throw new StoreException(Kind.NOT_CONFIGURED, e.getMessage(), e);
        } catch (SdkException e) {
            throw StoreException.of(e);
        } catch (IllegalArgumentException e) {
            throw new StoreException(Kind.NOT_CONFIGURED, "A setting svc.api.s3.* is invalid.", e);
        }
    }
}
