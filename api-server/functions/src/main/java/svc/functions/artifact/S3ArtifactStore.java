package svc.functions.artifact;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import svc.platform.config.S3Config;
import svc.platform.s3.MissingSettingException;
import svc.platform.s3.PlatformBucket;

/** Stores archives in the platform's bucket. */
@ApplicationScoped
public class S3ArtifactStore implements ArtifactStore {
    private static final int NOT_FOUND = 404;
    private static final Duration CALL_LIMIT = Duration.ofSeconds(20);

    private static final int CONNECTIONS = 50;

    private final PlatformBucket platform;

    S3ArtifactStore(S3Config config) {
        this.platform = new PlatformBucket(config, CALL_LIMIT, CONNECTIONS);
    }

    @Override
    public ContentHash put(UUID projectId, byte[] archive) {
        ContentHash hash = ContentHash.of(archive);
        String key = new ArtifactKey(projectId, hash).text();
        run(s3 -> s3.putObject(
                request -> request.bucket(bucket()).key(key).contentType("application/json"),
                RequestBody.fromBytes(archive)));
        return hash;
    }

    @Override
    public Optional<byte[]> find(UUID projectId, ContentHash hash) {
        String key = new ArtifactKey(projectId, hash).text();
        return run(s3 -> {
            try {
                return Optional.of(
                        s3.getObjectAsBytes(request -> request.bucket(bucket()).key(key))
                                .asByteArray());
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public boolean contains(UUID projectId, ContentHash hash) {
        String key = new ArtifactKey(projectId, hash).text();
        return run(s3 -> {
            try {
                s3.headObject(request -> request.bucket(bucket()).key(key));
                return true;
            } catch (S3Exception e) {
                if (e.statusCode() == NOT_FOUND) {
                    return false;
                }
                throw e;
            }
        });
    }

    @Override
    public List<Stored> list(UUID projectId) {
        int prefix = ArtifactKey.prefix(projectId).length();
        return objects(projectId).stream()
                .flatMap(
                        object -> ContentHash.ofHex(object.key().substring(prefix))
                                .map(hash -> new Stored(hash, object.lastModified()))
                                .stream())
                .toList();
    }

    private List<S3Object> objects(UUID projectId) {
        String prefix = ArtifactKey.prefix(projectId);
        return run(s3 ->
                s3.listObjectsV2Paginator(request -> request.bucket(bucket()).prefix(prefix)).contents().stream()
                        .toList());
    }

    @Override
    public void delete(UUID projectId, ContentHash hash) {
        remove(new ArtifactKey(projectId, hash).text());
    }

    @Override
    public void deleteAll(UUID projectId) {
        objects(projectId).forEach(object -> remove(object.key()));
    }

    private void remove(String key) {
        run(s3 -> s3.deleteObject(request -> request.bucket(bucket()).key(key)));
    }

    private String bucket() {
        return platform.name();
    }

    private <T> T run(Function<S3Client, T> call) {
        try {
            return call.apply(platform.client());
        } catch (MissingSettingException e) {
            throw ArtifactsUnavailableException.unset(e.setting());
        } catch (SdkException e) {
            throw ArtifactsUnavailableException.failed(e);
        } catch (IllegalArgumentException e) {
            // An invalid bucket name or endpoint.
            throw ArtifactsUnavailableException.invalid(e);
        }
    }

    @PreDestroy
    void close() {
        platform.close();
    }
}
