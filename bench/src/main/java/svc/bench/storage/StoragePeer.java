package svc.bench.storage;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.s3.EmbeddedS3;

/**
 * The S3 server in which the measured platform keeps files, in this process, so that its processor time is not counted as the
 * platform's. It is also read and written directly, by presigned URLs.
 */
final class StoragePeer implements AutoCloseable {
    private static final String BUCKET = "platform";
    private static final String REGION = "us-east-1";
    private static final Duration VALIDITY = Duration.ofHours(2);

    private final EmbeddedS3 server;
    private final S3Presigner presigner;

    private StoragePeer(EmbeddedS3 server) {
        this.server = server;
        this.presigner = S3Presigner.builder()
                .endpointOverride(server.endpoint())
                .region(Region.of(REGION))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        server.credentials().accessKey(), server.credentials().secretKey())))
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build();
    }

    /** @param folder for its objects */
    static StoragePeer start(Path folder) {
        return new StoragePeer(EmbeddedS3.lasting(folder, 0, new EmbeddedS3.Credentials("bench", "bench-secret")));
    }

    /** The same command with this server as the platform's S3. */
    PlatformCommand serving(PlatformCommand command) {
        PlatformCommand serving = command;
        for (Map.Entry<String, String> setting : Map.of(
                        "endpoint",
                        server.endpoint().toString(),
                        "region",
                        REGION,
                        "bucket",
                        BUCKET,
                        "access-key",
                        server.credentials().accessKey(),
                        "secret-key",
                        server.credentials().secretKey(),
                        "path-style",
                        "true")
                .entrySet()) {
            serving = serving.with("-Dsvc.api.s3." + setting.getKey() + "=" + setting.getValue());
        }
        return serving;
    }

    URI address() {
        return server.endpoint();
    }

    List<String> headers() {
        return List.of("Host: " + server.endpoint().getAuthority());
    }

    /** Presigned path and query of reads of these keys. */
    List<String> reads(List<String> keys) {
        return keys.stream()
                .map(key -> presigner.presignGetObject(what -> what.signatureDuration(VALIDITY)
                        .getObjectRequest(object -> object.bucket(BUCKET).key(key))))
                .map(signed -> signed.url().getFile())
                .toList();
    }

    /** Presigned path and query of writes of these keys, with the content type of the load. */
    List<String> writes(List<String> keys) {
        return keys.stream()
                .map(key -> presigner.presignPutObject(what -> what.signatureDuration(VALIDITY)
                        .putObjectRequest(
                                object -> object.bucket(BUCKET).key(key).contentType("application/octet-stream"))))
                .map(signed -> signed.url().getFile())
                .toList();
    }

    @Override
    public void close() {
        presigner.close();
        server.close();
    }
}
