package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.storage.StorageForTests.SERVICE;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.platform.tenancy.Tenant;

/** Whatever way a file is read, its bytes count for the limit of the month, and a neighbour's do not. */
class CountedDownloadsTest {
    private static final int HALF = 600 << 10;

    private StorageForTests storage;

    @BeforeEach
    void start() {
        storage = new StorageForTests();
        for (String ref : List.of("one", "two")) {
            S3ForTests.project(storage, ref);
            storage.call(ref, "PUT", "/bucket/b", SERVICE, "{\"versioning_status\":\"ENABLED\"}");
            try (var s3 = S3ForTests.client(storage, ref)) {
                s3.putObject(request -> request.bucket("b").key("file"), RequestBody.fromBytes(new byte[HALF]));
            }
        }
        Tenant tenant = storage.tenant("one");
        storage.serve(tenant.withStorage(tenant.storage().withEgressLimitMB(1L)));
    }

    @AfterEach
    void stop() {
        storage.close();
    }

    private static void get(S3Client s3) {
        assertThat(s3.getObjectAsBytes(request -> request.bucket("b").key("file"))
                        .asByteArray())
                .hasSize(HALF);
    }

    @Test
    void byTheS3Protocol() {
        try (var s3 = S3ForTests.client(storage, "one");
                var neighbour = S3ForTests.client(storage, "two")) {
            for (int i = 0; i < 2; i++) {
                get(s3);
                get(neighbour);
                storage.countSent();
            }
            assertThatThrownBy(() -> get(s3)).isInstanceOfSatisfying(S3Exception.class, refused -> {
                assertThat(refused.statusCode()).isEqualTo(402);
                assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("EgressQuotaExceeded");
            });
            get(neighbour);
            assertThat(s3.headObject(request -> request.bucket("b").key("file")).contentLength())
                    .isEqualTo(HALF);
            assertThat(s3.listObjectsV2(request -> request.bucket("b")).hasContents())
                    .isTrue();
        }
        assertThat(storage.get("one", "/object/b/file", SERVICE).status()).isEqualTo(402);
        assertThat(storage.get("two", "/object/b/file", SERVICE).status()).isEqualTo(200);
    }

    @Test
    void asVersions() {
        storage.call("one", "DELETE", "/object/b/file", SERVICE);
        String version = storage.get("one", "/versions/b/file", SERVICE)
                .json()
                .path(0)
                .path("version")
                .asText();
        for (int i = 0; i < 2; i++) {
            assertThat(storage.get("one", "/versions/b/file?version=" + version, SERVICE)
                            .bytes())
                    .hasSize(HALF);
            storage.countSent();
        }
        assertThat(storage.get("one", "/versions/b/file?version=" + version, SERVICE)
                        .status())
                .isEqualTo(402);
        assertThat(storage.get("one", "/versions/b/file", SERVICE).status()).isEqualTo(200);
    }
}
