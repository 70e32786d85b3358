package svc.storage.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.embedded.s3.EmbeddedS3;
import svc.platform.s3.PlatformBucket;
import svc.storage.S3ForStore;
import svc.storage.content.ContentReader.Span;

/** Reads are whole whatever happens to their connections, or fail; none keeps a connection. */
class S3ContentReaderTest {
    private static final int CONNECTIONS = 8;
    private static final UUID PROJECT = new UUID(0, 1);
    private static final byte[] BYTES = new byte[1 << 20];

    private static final Vertx VERTX = Vertx.vertx();
    private static final EmbeddedS3 S3 = EmbeddedS3.forTests();
    private static final CuttingProxy PROXY = new CuttingProxy(VERTX, S3.endpoint());
    private static final PlatformBucket BUCKET =
            new PlatformBucket(new S3ForStore(PROXY.endpoint(), S3.credentials()), Duration.ofSeconds(20), CONNECTIONS);
    private static final S3ContentStore STORE = new S3ContentStore(BUCKET, CONNECTIONS);
    private static final ContentKey KEY = ContentKey.fresh(PROJECT);

    private final S3ContentReader reader =
            new S3ContentReader(VERTX, STORE, CONNECTIONS, Duration.ofSeconds(20), Optional.empty());

    @BeforeAll
    static void store() {
        new Random(3).nextBytes(BYTES);
        STORE.put(KEY, BYTES, BYTES.length);
    }

    @AfterEach
    void close() {
        PROXY.cut(0, 0);
        reader.close();
    }

    @AfterAll
    static void stop() {
        BUCKET.close();
        PROXY.close();
        S3.close();
        VERTX.close().toCompletionStage().toCompletableFuture().join();
    }

    /** What was read; empty when nothing is there. */
    private Optional<Buffer> read(ContentKey key, long from, long length) {
        var result = new CompletableFuture<Optional<Buffer>>();
        VERTX.runOnContext(now -> reader.read(key, new Span(from, length, BYTES.length), new Into(result)));
        return result.join();
    }

    private static final class Into implements ContentReader.Receiver {
        private final CompletableFuture<Optional<Buffer>> result;
        private final Buffer bytes = Buffer.buffer();

        Into(CompletableFuture<Optional<Buffer>> result) {
            this.result = result;
        }

        @Override
        public void piece(Buffer piece) {
            bytes.appendBuffer(piece);
        }

        @Override
        public void complete() {
            result.complete(Optional.of(bytes));
        }

        @Override
        public void missing() {
            result.complete(Optional.empty());
        }

        @Override
        public void failed(StoreException why) {
            result.completeExceptionally(why);
        }
    }

    @Test
    void aSpanIsReadToTheByte() {
        assertThat(read(KEY, 0, BYTES.length).orElseThrow().getBytes()).isEqualTo(BYTES);
        assertThat(read(KEY, 1_000, 10).orElseThrow().getBytes()).isEqualTo(Arrays.copyOfRange(BYTES, 1_000, 1_010));
        assertThat(read(ContentKey.fresh(PROJECT), 0, 10)).isEmpty();
    }

    @Test
    void aReadThatBreaksIsContinued() {
        PROXY.cut(2, 300_000);

        assertThat(read(KEY, 0, BYTES.length).orElseThrow().getBytes()).isEqualTo(BYTES);
        assertThat(PROXY.left()).isZero();
    }

    @Test
    void aReadThatBreaksAgainAndAgainFails() {
        PROXY.cut(100, 300_000);

        assertThatThrownBy(() -> read(KEY, 0, BYTES.length))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class);
        PROXY.cut(0, 0);
        assertThat(read(KEY, 0, BYTES.length)).isPresent();
    }

    @Test
    void moreThanThereIsFails() {
        assertThatThrownBy(() -> read(KEY, BYTES.length - 5, 10)).hasCauseInstanceOf(StoreException.class);
        assertThatThrownBy(() -> read(KEY, BYTES.length + 5, 10)).hasCauseInstanceOf(StoreException.class);
    }

    /** Many more than there are connections: a kept one would be missed by those behind. */
    @Test
    void readsThatAreGivenUpLeaveTheirConnections() {
        for (int i = 0; i < 5 * CONNECTIONS; i++) {
            var result = new CompletableFuture<Optional<Buffer>>();
            var begun = new AtomicReference<ContentReader.Reading>();
            VERTX.runOnContext(now -> {
                begun.set(reader.read(KEY, new Span(0, BYTES.length, BYTES.length), new Into(result)));
                VERTX.runOnContext(then -> begun.get().cancel());
            });
        }

        assertThat(read(KEY, 0, BYTES.length)).isPresent();
        await().untilAsserted(() -> assertThat(STORE.inUse().held()).isZero());
    }
}
