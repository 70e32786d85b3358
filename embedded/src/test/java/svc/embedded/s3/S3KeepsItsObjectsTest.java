package svc.embedded.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

class S3KeepsItsObjectsTest {
    private static final EmbeddedS3.Credentials CREDENTIALS = new EmbeddedS3.Credentials("key", "secret");

    @TempDir
    Path folder;

    @Test
    void anObjectIsThereAfterAStopAndAStart() {
        try (var s3 = EmbeddedS3.lasting(folder, 0, CREDENTIALS);
                var client = client(s3, "secret")) {
            client.createBucket(request -> request.bucket("svc"));
            client.putObject(
                    request -> request.bucket("svc").key("a/ü b.txt").contentType("text/x"),
                    RequestBody.fromString("kept"));
        }
        try (var s3 = EmbeddedS3.lasting(folder, 0, CREDENTIALS);
                var client = client(s3, "secret")) {
            var object =
                    client.getObjectAsBytes(request -> request.bucket("svc").key("a/ü b.txt"));
            assertThat(object.asUtf8String()).isEqualTo("kept");
            assertThat(object.response().contentType()).isEqualTo("text/x");
            assertThatThrownBy(() ->
                            client.getObject(request -> request.bucket("svc").key("other")))
                    .isInstanceOf(NoSuchKeyException.class);
        }
    }

    @Test
    void aWrongSecretIsRefused() {
        try (var s3 = EmbeddedS3.forTests();
                var client = client(s3, "guess")) {
            assertThatThrownBy(client::listBuckets)
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            refusal -> assertThat(refusal.statusCode()).isEqualTo(403));
        }
    }

    private static S3Client client(EmbeddedS3 s3, String secret) {
        return S3Client.builder()
                .endpointOverride(s3.endpoint())
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(s3.credentials().accessKey(), secret)))
                .build();
    }
}
