package svc.functions.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.embedded.s3.EmbeddedS3;
import svc.platform.config.S3Config;

/** Archives are stored under the project and their content hash, and nowhere else. */
class S3ArtifactStoreTest {
    private static final UUID ONE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final UUID OTHER = UUID.fromString("22222222-2222-4222-8222-222222222222");

    private static EmbeddedS3 s3;
    private static S3ArtifactStore store;

    private record Settings(Optional<URI> endpoint, Optional<String> bucket, Optional<String> secretKey)
            implements S3Config {
        @Override
        public String region() {
            return "us-east-1";
        }

        @Override
        public Optional<String> accessKey() {
            return Optional.of("test-access-key");
        }

        @Override
        public Optional<Path> caFile() {
            return Optional.empty();
        }

        @Override
        public boolean pathStyle() {
            return true;
        }
    }

    @BeforeAll
    static void start() {
        s3 = EmbeddedS3.forTests();
        store = new S3ArtifactStore(new Settings(
                Optional.of(s3.endpoint()),
                Optional.of("platform"),
                Optional.of(s3.credentials().secretKey())));
    }

    @AfterAll
    static void stop() {
        store.close();
        s3.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatWasPutIsFoundByItsProjectAlone() {
        ContentHash hash = store.put(ONE, utf8("an archive"));

        assertThat(hash).isEqualTo(ContentHash.of(utf8("an archive")));
        assertThat(store.find(ONE, hash))
                .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(utf8("an archive")));
        assertThat(store.contains(ONE, hash)).isTrue();
        assertThat(store.find(OTHER, hash)).isEmpty();
        assertThat(store.contains(OTHER, hash)).isFalse();
        assertThat(store.put(ONE, utf8("an archive"))).isEqualTo(hash);
    }

    @Test
    void theEndOfAProjectTakesItsOwnOnly() {
        ContentHash first = store.put(ONE, utf8("first"));
        ContentHash second = store.put(ONE, utf8("second"));
        ContentHash neighbour = store.put(OTHER, utf8("first"));

        store.delete(ONE, first);
        store.delete(ONE, first);
        assertThat(store.contains(ONE, first)).isFalse();
        assertThat(store.contains(OTHER, neighbour)).isTrue();
        store.deleteAll(ONE);
        assertThat(store.contains(ONE, second)).isFalse();
        assertThat(store.contains(OTHER, neighbour)).isTrue();
    }

    @Test
    void aMissingSettingIsNamed() {
        var unset = new S3ArtifactStore(new Settings(Optional.of(s3.endpoint()), Optional.empty(), Optional.of("x")));

        var badName = new S3ArtifactStore(new Settings(Optional.of(s3.endpoint()), Optional.of("b"), Optional.of("x")));
        assertThatThrownBy(() -> badName.put(ONE, utf8("x"))).isInstanceOf(ArtifactsUnavailableException.class);
        assertThatThrownBy(() -> unset.put(ONE, utf8("x")))
                .isInstanceOfSatisfying(ArtifactsUnavailableException.class, e -> {
                    assertThat(e.isLasting()).isTrue();
                    assertThat(e).hasMessageContaining("svc.api.s3.bucket");
                });
    }

    @Test
    void aStoreThatIsAwayOrRefusesUsIsReported() {
        var away = new S3ArtifactStore(
                new Settings(Optional.of(URI.create("http://127.0.0.1:1")), Optional.of("platform"), Optional.of("x")));
        var wrong = new S3ArtifactStore(
                new Settings(Optional.of(s3.endpoint()), Optional.of("platform"), Optional.of("wrong")));

        for (S3ArtifactStore broken : new S3ArtifactStore[] {away, wrong}) {
            assertThatThrownBy(() -> broken.put(ONE, utf8("x")))
                    .isInstanceOfSatisfying(
                            ArtifactsUnavailableException.class,
                            e -> assertThat(e.isLasting()).isFalse());
        }
    }

    @Test
    void anArchiveIsTheSameBytesWhateverTheOrder() {
        TreeMap<String, String> files = new TreeMap<>(Map.of("b", "2", "a", "1"));
        Archive archive = new Archive("code", "source", files, null, "index.ts", "hello", null);

        assertThat(new String(archive.bytes(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"bundle\":\"code\",\"source\":\"source\",\"files\":{\"a\":\"1\",\"b\":\"2\"},\"importMap\":null,"
                                + "\"entrypoint\":\"index.ts\",\"name\":\"hello\"}");
        assertThat(Archive.read(archive.bytes())).isEqualTo(archive);
        Archive traced = new Archive(
                "code", "source", files, null, "index.ts", "hello", new Archive.Origins("AAAA", List.of("index.ts")));
        assertThat(new String(traced.bytes(), StandardCharsets.UTF_8))
                .endsWith(",\"origins\":{\"mappings\":\"AAAA\",\"sources\":[\"index.ts\"]}}");
        assertThat(Archive.read(traced.bytes())).isEqualTo(traced);
    }

    @Test
    void keysHoldNothingButIdAndHash() {
        assertThat(new ArtifactKey(ONE, ContentHash.of(utf8("x"))).text())
                .matches("11111111-1111-4111-8111-111111111111/functions/[0-9a-f]{64}");
        assertThat(ContentHash.parse("sha256:../../x")).isEmpty();
        assertThat(ContentHash.parse(null)).isEmpty();
        assertThatThrownBy(() -> new ContentHash("../x")).isInstanceOf(IllegalArgumentException.class);
    }
}
