package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkException;
import svc.embedded.kubernetes.http.TlsIdentity;
import svc.embedded.s3.EmbeddedS3;
import svc.platform.config.S3Config;
import svc.platform.s3.MissingSettingException;
import svc.platform.s3.PlatformBucket;

/** Any S3: behind an authority of its own, and with the credentials that the environment has. */
class S3ServersTest {
    /** Where the SDK reads its environment in tests. */
    private static final List<String> ENVIRONMENT = List.of(
            "aws.disableEc2Metadata",
            "aws.accessKeyId",
            "aws.secretAccessKey",
            "aws.roleArn",
            "aws.webIdentityTokenFile",
            "aws.roleSessionName",
            "aws.endpointUrlSts",
            "aws.region");

    private static Vertx vertx;
    private static EmbeddedS3 s3;

    @TempDir
    Path folder;

    private record Settings(Optional<URI> endpoint, Optional<String> accessKey, Optional<Path> caFile)
            implements S3Config {
        @Override
        public String region() {
            return "us-east-1";
        }

        @Override
        public Optional<String> bucket() {
            return Optional.of("platform");
        }

        @Override
        public Optional<String> secretKey() {
            return accessKey.map(key -> s3.credentials().secretKey());
        }

        @Override
        public boolean pathStyle() {
            return true;
        }
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        s3 = EmbeddedS3.forTests();
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        s3.close();
    }

    @BeforeEach
    void noMachineOfAmazon() {
        System.setProperty("aws.disableEc2Metadata", "true");
    }

    @AfterEach
    void forget() {
        ENVIRONMENT.forEach(System::clearProperty);
    }

    private static PlatformBucket bucket(URI endpoint, Optional<String> accessKey, Optional<Path> caFile) {
        return new PlatformBucket(new Settings(Optional.of(endpoint), accessKey, caFile), Duration.ofSeconds(20), 2);
    }

    private static HttpServer serve(HttpServerOptions options, io.vertx.core.Handler<HttpServerRequest> handler) {
        return vertx.createHttpServer(options)
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private Path written(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void anAuthorityOfItsOwnIsTrustedWhereItIsNamed() throws IOException {
        TlsIdentity identity = TlsIdentity.generate(Clock.systemUTC());
        var certificate = new PemKeyCertOptions()
                .addKeyValue(Buffer.buffer(identity.keyPem()))
                .addCertValue(Buffer.buffer(identity.certificatePem()));
        HttpServer server = serve(
                new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate),
                request -> request.response().end());
        URI endpoint = URI.create("https://127.0.0.1:" + server.actualPort());
        Optional<String> key = Optional.of(s3.credentials().accessKey());
        Path authority = written("ca.crt", identity.certificatePem());
        Path other =
                written("other.crt", TlsIdentity.generate(Clock.systemUTC()).certificatePem());

        try (PlatformBucket trusted = bucket(endpoint, key, Optional.of(authority));
                PlatformBucket unknown = bucket(endpoint, key, Optional.empty());
                PlatformBucket wrong = bucket(endpoint, key, Optional.of(other))) {
            assertThat(trusted.client()).isNotNull();
            assertThatThrownBy(unknown::client).isInstanceOf(SdkException.class);
            assertThatThrownBy(wrong::client).isInstanceOf(SdkException.class);
        }
        for (Path bad : List.of(written("empty.crt", ""), folder.resolve("none"), written("text.crt", "no PEM"))) {
            assertThatThrownBy(() -> bucket(endpoint, key, Optional.of(bad)).client())
                    .as(bad.toString())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("svc.api.s3.ca-file");
        }
    }

    @Test
    void withoutKeysTheEnvironmentHasThem() {
        try (PlatformBucket none = bucket(s3.endpoint(), Optional.empty(), Optional.empty())) {
            assertThatThrownBy(none::client)
                    .isInstanceOf(MissingSettingException.class)
                    .hasMessageContaining("svc.api.s3.access-key")
                    .hasMessageContaining("environment");
            System.setProperty("aws.accessKeyId", s3.credentials().accessKey());
            System.setProperty("aws.secretAccessKey", s3.credentials().secretKey());
            assertThat(none.client().listBuckets().buckets()).isNotEmpty();
        }
    }

    /** As a pod of a service account with a role has it. */
    @Test
    void theRoleOfAServiceAccountIsTaken() throws IOException {
        List<Map.Entry<String, String>> asked = new CopyOnWriteArrayList<>();
        HttpServer tokens = serve(
                new HttpServerOptions(),
                request -> request.body().onSuccess(body -> {
                    asked.add(Map.entry(request.path(), body.toString()));
                    request.response().putHeader("Content-Type", "text/xml").end(credentials());
                }));
        System.setProperty("aws.endpointUrlSts", "http://127.0.0.1:" + tokens.actualPort());
        System.setProperty("aws.region", "us-east-1");
        System.setProperty("aws.roleArn", "arn:aws:iam::123456789012:role/svc");
        System.setProperty(
                "aws.webIdentityTokenFile",
                written("token", "a.service.account").toString());
        System.setProperty("aws.roleSessionName", "svc");

        try (PlatformBucket bucket = bucket(s3.endpoint(), Optional.empty(), Optional.empty())) {
            bucket.client();
        } catch (SdkException e) {
            // The embedded S3 knows no session tokens; that the role was asked for is what counts here.
            assertThat(e).hasMessageContaining("(Service: S3");
        }
        assertThat(asked).isNotEmpty();
        assertThat(asked.getFirst().getValue())
                .contains("Action=AssumeRoleWithWebIdentity")
                .contains("WebIdentityToken=a.service.account")
                .contains("role%2Fsvc");
    }

    private static String credentials() {
        return "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
                + "<AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>"
                + s3.credentials().accessKey() + "</AccessKeyId><SecretAccessKey>"
                + s3.credentials().secretKey() + "</SecretAccessKey><SessionToken>t</SessionToken>"
                + "<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>"
                + "</AssumeRoleWithWebIdentityResponse>";
    }
}
