package svc.platform.s3;

import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
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
    private S3Client client;
    private DefaultCredentialsProvider environmentCredentials;

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
    public synchronized S3Client client() {
        if (client == null) {
            forgetEnvironment();
            S3Client made = connect();
            try {
                made.createBucket(request -> request.bucket(name()));
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
        name();
        AwsCredentialsProvider credentials = credentials();
        Apache5HttpClient.Builder http = Apache5HttpClient.builder().maxConnections(connections);
        config.caFile().ifPresent(file -> http.tlsTrustManagersProvider(TrustedAuthorities.of(file)));
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(http)
                .region(Region.of(config.region()))
                .forcePathStyle(config.pathStyle())
                // Servers other than Amazon's do not support trailing checksums.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(limits -> limits.apiCallTimeout(callLimit))
                .credentialsProvider(credentials);
        config.endpoint().ifPresent(builder::endpointOverride);
        return builder.build();
    }

    private AwsCredentialsProvider credentials() {
        if (config.accessKey().filter(text -> !text.isBlank()).isPresent()
                || config.secretKey().filter(text -> !text.isBlank()).isPresent()) {
            return StaticCredentialsProvider.create(AwsBasicCredentials.create(
                    setting(config.accessKey(), "access-key"), setting(config.secretKey(), "secret-key")));
        }
        DefaultCredentialsProvider environment =
                DefaultCredentialsProvider.builder().build();
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
    public synchronized void close() {
        if (client != null) {
            client.close();
        }
        forgetEnvironment();
    }

    private void forgetEnvironment() {
        if (environmentCredentials != null) {
            environmentCredentials.close();
            environmentCredentials = null;
        }
    }
}
