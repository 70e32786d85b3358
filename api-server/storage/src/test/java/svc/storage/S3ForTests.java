package svc.storage;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import svc.crds.project.service.S3AccessKeySpec;
import svc.database.key.ApiKey;
import svc.database.key.Purpose;
import svc.database.key.S3AccessKey;
import svc.platform.tenancy.Tenant;

/** Clients of the S3 protocol, as AWS's SDK makes them. */
final class S3ForTests {
    static final String KEY_ID = "0123456789abcdef0123456789abcdef";

    private S3ForTests() {}

    /** A project with an access key and a private bucket {@code b}. */
    static Tenant project(StorageForTests storage, String ref) {
        storage.project(ref);
        Tenant tenant = withKeys(storage, ref, KEY_ID);
        storage.bucket(ref, "b", false);
        return tenant;
    }

    static Tenant withKeys(StorageForTests storage, String ref, String... ids) {
        Tenant tenant = storage.tenant(ref);
        List<S3AccessKeySpec> keys = List.of(ids).stream()
                .map(id -> new S3AccessKeySpec(id, "test", Instant.now()))
                .toList();
        storage.serve(tenant.withStorage(tenant.storage().withAccessKeys(keys)));
        return storage.tenant(ref);
    }

    static AwsCredentials service(StorageForTests storage, String ref) {
        return AwsBasicCredentials.create(KEY_ID, secret(storage, ref, KEY_ID));
    }

    static String secret(StorageForTests storage, String ref, String id) {
        Tenant tenant = storage.tenant(ref);
        return S3AccessKey.secret(
                storage.projects()
                        .purposeRoots()
                        .require(Purpose.SERVICE_KEY, tenant.masterKeyVersion())
                        .leaf(tenant.scope().withKeyVersion(1)),
                id);
    }

    static AwsCredentials user(StorageForTests storage, String ref, String user) {
        Tenant tenant = storage.tenant(ref);
        String anon = ApiKey.of(storage.projects()
                .purposeRoots()
                .require(Purpose.ANON_KEY, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(1)));
        return AwsSessionCredentials.create(ref, anon, user);
    }

    static URI endpoint(StorageForTests storage, String ref) {
        return URI.create("http://127.0.0.1:" + storage.port() + "/" + ref + "/s3");
    }

    static S3Client client(StorageForTests storage, String ref, AwsCredentials credentials) {
        return S3Client.builder()
                .endpointOverride(endpoint(storage, ref))
                .region(Region.EU_WEST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .overrideConfiguration(all -> all.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    static S3Client client(StorageForTests storage, String ref) {
        return client(storage, ref, service(storage, ref));
    }

    static S3Presigner presigner(StorageForTests storage, String ref, AwsCredentials credentials) {
        return S3Presigner.builder()
                .endpointOverride(endpoint(storage, ref))
                .region(Region.EU_WEST_1)
                .serviceConfiguration(software.amazon.awssdk.services.s3.S3Configuration.builder()
                        .pathStyleAccessEnabled(true)
                        .build())
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .build();
    }
}
