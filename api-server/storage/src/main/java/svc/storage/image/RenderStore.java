package svc.storage.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;
import svc.platform.budget.Budget;
import svc.platform.s3.MissingSettingException;
import svc.platform.s3.PlatformBucket;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentSweeper;
import svc.storage.content.StoreConnections;
import svc.storage.content.StoreException;
import svc.storage.content.StoreException.Kind;

/**
 * Keeps renderings in the platform's bucket: a cache, which may lose everything. Of each version of a file there are so many
 * at most, so that any number of parameters fills no store. Methods block; all throw {@link StoreException}.
 */
public final class RenderStore {
    /** Of one version of a file. */
    static final int MAX_OF_ONE = 32;

    private final PlatformBucket platform;
    private final StoreConnections inUse;

    /** @param connections as many as the bucket's client has */
    public RenderStore(PlatformBucket platform, int connections) {
        this.platform = platform;
        this.inUse = new StoreConnections("image-store", connections);
    }

    /** The connections, for metrics. */
    public Budget connections() {
        return inUse.budget();
    }

    /**
     * A part of a rendering.
     *
     * @param total bytes of the whole
     */
    record Part(byte[] bytes, long total, String type) {}

    /** Up to so many bytes from there; empty when there is no such rendering. */
    Optional<Part> read(RenderKey key, long from, int length) {
        return run(key.content().projectId(), s3 -> {
            try (ResponseInputStream<GetObjectResponse> stream = s3.getObject(request -> request.bucket(platform.name())
                    .key(key.text())
                    .range("bytes=" + from + "-" + (from + length - 1)))) {
                GetObjectResponse head = stream.response();
                int part = Math.toIntExact(head.contentLength());
                byte[] bytes = stream.readNBytes(part);
                if (bytes.length < part || part > length) {
                    throw new StoreException(Kind.FAILED, "the store sent another part than was asked for", null);
                }
                return Optional.of(new Part(bytes, total(head), head.contentType()));
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException("while reading from the store", e);
            }
        });
    }

    private static long total(GetObjectResponse head) {
        String range = head.contentRange();
        return range == null ? head.contentLength() : Long.parseLong(range.substring(range.indexOf('/') + 1));
    }

    /** Stores a rendering; the oldest of the same version makes room. */
    void put(RenderKey key, String type, byte[] bytes) {
        List<S3Object> others = new ArrayList<>(list(key.content().projectId(), RenderKey.prefix(key.content())));
        others.sort(Comparator.comparing(S3Object::lastModified));
        int surplus = others.size() - MAX_OF_ONE + 1;
        if (surplus > 0) {
            delete(
                    key.content().projectId(),
                    others.subList(0, surplus).stream().map(S3Object::key).toList());
        }
        run(
                key.content().projectId(),
                s3 -> s3.putObject(
                        request ->
                                request.bucket(platform.name()).key(key.text()).contentType(type),
                        RequestBody.fromBytes(bytes)));
    }

    /** How many there are of a version. */
    public int count(ContentKey content) {
        return list(content.projectId(), RenderKey.prefix(content)).size();
    }

    /** Up to 1,000, which is more than one version has. */
    private List<S3Object> list(UUID projectId, String prefix) {
        return run(
                projectId,
                s3 -> s3.listObjectsV2(
                                request -> request.bucket(platform.name()).prefix(prefix))
                        .contents());
    }

    private void delete(UUID projectId, List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<ObjectIdentifier> all = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        run(
                projectId,
                s3 -> s3.deleteObjects(request -> request.bucket(platform.name())
                        .delete(what -> what.objects(all).quiet(true))));
    }

    /** Deletes all renderings of some contents. */
    public void deleteOf(List<ContentKey> contents) {
        for (ContentKey content : contents) {
            delete(
                    content.projectId(),
                    list(content.projectId(), RenderKey.prefix(content)).stream()
                            .map(S3Object::key)
                            .toList());
        }
    }

    /**
     * Deletes renderings of contents that no row names.
     *
     * @param before younger ones are left
     * @return how many were deleted
     */
    public int sweep(UUID projectId, Instant before, ContentSweeper.Rows rows) {
        int deleted = 0;
        String[] next = {null};
        do {
            ListObjectsV2Response page = run(
                    projectId,
                    s3 -> s3.listObjectsV2(request -> request.bucket(platform.name())
                            .prefix(RenderKey.prefix(projectId))
                            .continuationToken(next[0])));
            List<String> unknown = unknown(projectId, page.contents(), before, rows);
            delete(projectId, unknown);
            deleted += unknown.size();
            next[0] = page.nextContinuationToken();
        } while (next[0] != null);
        return deleted;
    }

    private static List<String> unknown(UUID projectId, List<S3Object> page, Instant before, ContentSweeper.Rows rows) {
        List<S3Object> old = page.stream()
                .filter(object -> object.lastModified().isBefore(before))
                .toList();
        Set<ContentKey> contents = new HashSet<>();
        old.forEach(object -> RenderKey.contentOf(projectId, object.key()).ifPresent(contents::add));
        Set<ContentKey> known = contents.isEmpty() ? Set.of() : new HashSet<>(rows.known(List.copyOf(contents)));
        return old.stream()
                .map(S3Object::key)
                .filter(key -> RenderKey.contentOf(projectId, key)
                        .filter(known::contains)
                        .isEmpty())
                .toList();
    }

    private <T> T run(UUID projectId, Function<S3Client, T> call) {
        try {
            return inUse.take(projectId.toString(), () -> call.apply(platform.client()));
        } catch (MissingSettingException e) {
            throw new StoreException(Kind.NOT_CONFIGURED, e.getMessage(), e);
        } catch (SdkException | UncheckedIOException e) {
            throw new StoreException(Kind.FAILED, "the store failed: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new StoreException(Kind.NOT_CONFIGURED, "A setting svc.api.s3.* is invalid.", e);
        }
    }
}
