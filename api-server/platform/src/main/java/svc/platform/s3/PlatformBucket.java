package svc.platform.s3;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.BucketAlreadyExistsException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.platform.config.S3Config;

/**
 * The platform's bucket and a client of it. The client is created at the first use, so that a platform that keeps nothing
 * there needs no bucket.
 */
public final class PlatformBucket implements AutoCloseable {
    private final S3Config config;
    private final Duration callLimit;
    private final int connections;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile S3Client client;
    private volatile boolean exists;
    private volatile SignedReads reads;
    private volatile DefaultCredentialsProvider environmentCredentials;

    /**
     * @param callLimit longest that one call may take, with its repetitions
     * @param connections most that are open at the same time
     */
    public PlatformBucket(S3Config config, Duration callLimit, int connections) {
        this.config = config;
        this.callLimit = callLimit;
        this.connections = connections;
    }

    /** @throws MissingSettingException without a configured name */
    public String name() {
        return setting(config.bucket(), "bucket");
    }

    /**
     * @throws MissingSettingException when a setting is missing
     * @throws IllegalArgumentException when one is invalid
     * @throws SdkException when the server cannot be reached, or refuses
     */
    public S3Client client() {
        S3Client connected = connected();
        if (!exists) {
            // Each call waits for its own attempt: with a lock, calls would wait for those of all others while S3 is
            // away.
            create(connected);
            exists = true;
        }
        return connected;
    }

    private void create(S3Client connected) {
        try {
            connected.createBucket(request -> request.bucket(name()));
        } catch (BucketAlreadyOwnedByYouException | BucketAlreadyExistsException e) {
            // The bucket exists; missing permissions show at the first use.
        } catch (S3Exception e) {
            // Credentials that may use a bucket often may not create one.
            if (e.statusCode() != 403 && e.statusCode() != 409) {
                throw e;
            }
        }
    }

    /** Without a call of the server. */
    private S3Client connected() {
        S3Client made = client;
        if (made == null) {
            lock.lock();
            try {
                made = client == null ? connect() : client;
                client = made;
            } finally {
                lock.unlock();
            }
        }
        return made;
    }

    /** Empty before the first {@link #client()}. Does not block. */
    public Optional<SignedReads> reads() {
        return Optional.ofNullable(reads);
    }

    /** Where the client's keys are: below the endpoint, or in a host of the bucket's own. */
    private URI root(S3Client client) {
        String key = client.utilities()
                .getUrl(request -> request.bucket(name()).key("key"))
                .toString();
        return URI.create(key.substring(0, key.length() - "key".length()));
    }

    /**
     * Whom to trust instead of the system's authorities.
     *
     * @throws IllegalArgumentException for a file that cannot be read, or has no certificate
     */
    public Optional<TlsTrustManagersProvider> authorities() {
        return config.caFile().map(TrustedAuthorities::of);
    }

    private S3Client connect() {
        name();
        AwsCredentialsProvider credentials = credentials();
        Apache5HttpClient.Builder http = Apache5HttpClient.builder().maxConnections(connections);
        authorities().ifPresent(http::tlsTrustManagersProvider);
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(http)
                .region(Region.of(config.region()))
                .forcePathStyle(config.pathStyle())
                // Over plain HTTP a signature for each 128 KiB costs both sides more than one for the whole.
                .serviceConfiguration(configuration -> configuration.chunkedEncodingEnabled(false))
                // Servers other than Amazon's do not support trailing checksums.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(limits -> limits.apiCallTimeout(callLimit))
                .credentialsProvider(credentials);
        config.endpoint().ifPresent(builder::endpointOverride);
        S3Client made = builder.build();
        reads = new SignedReads(root(made), config.region(), credentials);
        return made;
    }

    private AwsCredentialsProvider credentials() {
        if (config.accessKey().filter(text -> !text.isBlank()).isPresent()
                || config.secretKey().filter(text -> !text.isBlank()).isPresent()) {
            return StaticCredentialsProvider.create(AwsBasicCredentials.create(
                    setting(config.accessKey(), "access-key"), setting(config.secretKey(), "secret-key")));
        }
        DefaultCredentialsProvider environment =
                // Renewed beside the calls: reads are signed on event loops, which must not wait.
                DefaultCredentialsProvider.builder()
                        .asyncCredentialUpdateEnabled(true)
                        .build();
        try {
            // Asked now: a missing setting must not look like a store that fails.
            environment.resolveCredentials();
        } catch (SdkException e) {
            environment.close();
            throw new MissingSettingException("svc.api.s3.access-key", e);
        }
        environmentCredentials = environment;
        return environment;
    }

    private static String setting(Optional<String> value, String name) {
        return value.filter(text -> !text.isBlank())
                .orElseThrow(() -> new MissingSettingException("svc.api.s3." + name));
    }

    @Override
    public void close() {
        S3Client made = client;
        if (made != null) {
            made.close();
        }
        DefaultCredentialsProvider environment = environmentCredentials;
        if (environment != null) {
            environment.close();
        }
    }
}
