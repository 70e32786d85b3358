package svc.functions.artifact;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.BucketAlreadyExistsException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Stores archives in a bucket. The client is created at the first use, so that a platform without functions needs no
 * bucket.
 */
@ApplicationScoped
public class S3ArtifactStore implements ArtifactStore {
    private static final int NOT_FOUND = 404;
    private static final Duration CALL_LIMIT = Duration.ofSeconds(20);

    private final ArtifactConfig config;
    private S3Client client;

    S3ArtifactStore(ArtifactConfig config) {
        this.config = config;
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
    public void delete(UUID projectId, ContentHash hash) {
        remove(new ArtifactKey(projectId, hash).text());
    }

    @Override
    public void deleteAll(UUID projectId) {
        String prefix = ArtifactKey.prefix(projectId);
        List<String> keys = run(s3 ->
                s3.listObjectsV2Paginator(request -> request.bucket(bucket()).prefix(prefix)).contents().stream()
                        .map(S3Object::key)
                        .toList());
        keys.forEach(this::remove);
    }

    private void remove(String key) {
        run(s3 -> s3.deleteObject(request -> request.bucket(bucket()).key(key)));
    }

    private String bucket() {
        return setting(config.bucket(), "bucket");
    }

    private <T> T run(Function<S3Client, T> call) {
        try {
            return call.apply(client());
        } catch (SdkException e) {
            throw ArtifactsUnavailableException.failed(e);
        } catch (IllegalArgumentException e) {
            // An invalid bucket name or endpoint.
            throw ArtifactsUnavailableException.invalid(e);
        }
    }

    private synchronized S3Client client() {
        if (client == null) {
            S3Client made = connect();
            try {
                made.createBucket(request -> request.bucket(bucket()));
            } catch (BucketAlreadyOwnedByYouException | BucketAlreadyExistsException e) {
                // The bucket exists; missing permissions show at the first use.
            } catch (S3Exception e) {
                // Credentials that may use a bucket often may not create one.
                if (e.statusCode() != 403 && e.statusCode() != 409) {
                    made.close();
                    throw e;
                }
            } catch (SdkException e) {
                made.close();
                throw e;
            }
            client = made;
        }
        return client;
    }

    private S3Client connect() {
        String accessKey = setting(config.accessKey(), "access-key");
        String secretKey = setting(config.secretKey(), "secret-key");
        bucket();
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(Apache5HttpClient.builder())
                .region(Region.of(config.region()))
                .forcePathStyle(config.pathStyle())
                // Keys are content hashes already, and servers other than Amazon's do not support trailing checksums.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(limits -> limits.apiCallTimeout(CALL_LIMIT))
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
        config.endpoint().ifPresent(builder::endpointOverride);
        return builder.build();
    }

    private static String setting(Optional<String> value, String name) {
        return value.filter(text -> !text.isBlank())
                .orElseThrow(() -> ArtifactsUnavailableException.unset("svc.api.s3." + name));
    }

    @PreDestroy
    synchronized void close() {
        if (client != null) {
            client.close();
        }
    }
}
