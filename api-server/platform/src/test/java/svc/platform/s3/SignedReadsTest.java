package svc.platform.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import svc.platform.s3.SignedReads.SignedRead;

/** The SDK's signer is the measure of ours. */
class SignedReadsTest {
    private static final String REGION = "eu-central-1";
    private static final String KEY =
            "6f1d7c9e-1a8b-4f0e-9f61-1f7b8a3c2d4e/storage/0b6f4c1a-7d2e-4a39-8c55-9e0d1f2a3b4c";
    private static final AwsCredentials LASTING = AwsBasicCredentials.create("an-id", "a secret/with+signs=");
    private static final AwsCredentials OF_SESSION = AwsSessionCredentials.create("an-id", "a-secret", "a+token/==");
    private static final Instant EVENING = Instant.parse("2031-02-28T23:59:58Z");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:9000/bucket/",
                "https://s3.example.org/bucket/",
                "https://bucket.s3.example.org/",
                "https://s3.example.org:443/bucket/",
                "http://s3.example.org:80/a%20path/bucket/",
                "http://[::1]:9000/bucket/"
            })
    void signsAsTheSdkDoes(String root) {
        for (AwsCredentials credentials : List.of(LASTING, OF_SESSION)) {
            assertSameAsSdk(
                    URI.create(root),
                    credentials,
                    EVENING,
                    reads(root, credentials, EVENING).of(KEY, 5, 99));
        }
    }

    @Test
    void keyOfTheDayIsNotUsedOnTheNext() {
        var now = new AtomicReference<>(EVENING);
        String root = "http://127.0.0.1:9000/bucket/";
        var reads = new SignedReads(URI.create(root), REGION, () -> LASTING, clock(now));
        reads.of(KEY, 0, 1);
        now.set(EVENING.plus(Duration.ofSeconds(3)));

        assertSameAsSdk(URI.create(root), LASTING, now.get(), reads.of(KEY, 0, 1));
    }

    @Test
    void keyOfRenewedCredentialsIsUsedAtOnce() {
        var current = new AtomicReference<>(LASTING);
        String root = "http://127.0.0.1:9000/bucket/";
        var reads = new SignedReads(URI.create(root), REGION, current::get, Clock.fixed(EVENING, ZoneOffset.UTC));
        reads.of(KEY, 0, 1);
        current.set(OF_SESSION);

        assertSameAsSdk(URI.create(root), OF_SESSION, EVENING, reads.of(KEY, 0, 1));
    }

    private static SignedReads reads(String root, AwsCredentials credentials, Instant now) {
        return new SignedReads(URI.create(root), REGION, () -> credentials, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static Clock clock(AtomicReference<Instant> now) {
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now.get();
            }
        };
    }

    private static void assertSameAsSdk(URI root, AwsCredentials credentials, Instant now, SignedRead ours) {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(root.resolve(KEY))
                .putHeader("Range", ours.headers().get("range"))
                .build();
        SdkHttpRequest theirs = AwsV4HttpSigner.create()
                .sign(what -> what.identity(credentials)
                        .request(request)
                        .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC))
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, REGION)
                        .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false))
                .request();
        assertThat(ours.headers().get("range")).startsWith("bytes=");
        assertThat(ours.address()).isEqualTo(root.resolve(KEY));
        theirs.headers()
                .forEach((name, values) -> assertThat(ours.headers().get(name.toLowerCase(java.util.Locale.ROOT)))
                        .as(name)
                        .isEqualTo(values.getFirst()));
        assertThat(ours.headers()).hasSameSizeAs(theirs.headers());
    }
}
