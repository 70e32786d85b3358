package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.storage.FaultyS3.Fault;
import svc.storage.StorageHttp.Answer;
import svc.storage.content.ContentStore;

/** Where S3 fails in the middle of something, the caller learns of it, and nothing is left behind. */
class StoreFaultsTest {
    private static final Predicate<HttpServerRequest> PARTS = call -> call.uri().contains("partNumber=2");
    private static final Predicate<HttpServerRequest> READS =
            call -> call.method().equals(HttpMethod.GET);
    private static final Predicate<HttpServerRequest> WRITES =
            call -> call.method().equals(HttpMethod.PUT);
    private static final byte[] LARGE = new byte[ContentStore.PART_BYTES + 1000];

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        new Random(5).nextBytes(LARGE);
        storage = StorageForTests.withNetwork(Duration.ofSeconds(30));
        storage.project("one");
        storage.bucket("one", "b", true);
        storage.upload("one", "b/kept", SERVICE, LARGE);
    }

    @AfterEach
    void nothingIsLeft() {
        storage.network().mend();
        await().until(storage::idle);
        storage.sweep("one");
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static Answer uploadInParts(String name) {
        return storage.send(
                "one",
                "POST",
                "/object/b/" + name,
                SERVICE,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(LARGE)));
    }

    @ParameterizedTest
    @CsvSource({"507, XMinioStorageFull", "507, Anything", "403, QuotaExceeded", "400, XMinioAdminBucketQuotaExceeded"})
    void aFullStoreSaysSoAndStillReads(int status, String code) {
        storage.network().fail(100, WRITES, new Fault.Refusal(status, code));
        Answer full = storage.upload("one", "b/none", SERVICE, "x");
        assertThat(full.status()).as(full.toString()).isEqualTo(507);
        assertThat(full.refusal())
                .isEqualTo(
                        "507 insufficient_storage: The platform's object store is full. Nothing was stored; files can still be read and deleted.");
        storage.network().fail(100, PARTS, new Fault.Refusal(status, code));
        assertThat(uploadInParts("none").status()).isEqualTo(507);
        assertThat(storage.network().faults()).isPositive();
        assertThat(storage.get("one", "/object/public/b/kept", "").bytes()).isEqualTo(LARGE);
        assertThat(storage.get("one", "/object/b/none", SERVICE).refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @ParameterizedTest
    @CsvSource({"403, AccessDenied", "503, SlowDown"})
    void anUploadThatFailsInTheMiddleIsNotThere(int status, String code) {
        storage.network().fail(100, PARTS, new Fault.Refusal(status, code));
        Answer failed = uploadInParts("half");
        assertThat(failed.status()).as(failed.toString()).isEqualTo(502);
        assertThat(failed.text("error")).isEqualTo("upstream_failed");
        assertThat(storage.network().faults()).isPositive();
        assertThat(storage.get("one", "/object/b/half", SERVICE).refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void oneFailureOfAPartIsNoFailureOfTheFile() {
        storage.network().fail(1, PARTS, new Fault.Refusal(500, "InternalError"));
        assertThat(uploadInParts("again").status()).isEqualTo(200);
        assertThat(storage.network().faults()).isEqualTo(1);
        assertThat(storage.get("one", "/object/public/b/again", "").bytes()).isEqualTo(LARGE);
    }

    @Test
    void aReadThatBreaksOnceIsRepeated() {
        storage.network().fail(1, READS, new Fault.CutAnswer(1000));
        assertThat(storage.get("one", "/object/public/b/kept", "").bytes()).isEqualTo(LARGE);
        assertThat(storage.network().faults()).isEqualTo(1);
    }

    @Test
    void aDownloadThatFailsInTheMiddleEndsEarly() throws IOException {
        // The first window of two MiB is read, the next ones are not.
        storage.network()
                .fail(
                        100,
                        call -> READS.test(call)
                                && call.headers().contains("range")
                                && !call.getHeader("range").startsWith("bytes=0-"),
                        new Fault.CutAnswer(1000));
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            socket.getOutputStream()
                    .write("GET /one/object/public/b/kept HTTP/1.1\r\nHost: x\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] all = socket.getInputStream().readAllBytes();
            assertThat(new String(all, 0, 15, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(all.length).isLessThan(LARGE.length);
        }
    }

    /** It is sent at once, when all of it is there. */
    @Test
    void aSmallFileThatIsNotReadIsAnError() {
        storage.upload("one", "b/small", SERVICE, new byte[10_000]);
        storage.network().fail(100, READS, new Fault.CutAnswer(1000));
        assertThat(storage.get("one", "/object/public/b/small", "").status()).isEqualTo(502);
    }

    @Test
    void aSilentStoreIsGivenUp() {
        try (var hasty = StorageForTests.withNetwork(Duration.ofSeconds(1))) {
            hasty.project("one");
            hasty.bucket("one", "b", true);
            hasty.network().fail(1_000, call -> true, new Fault.Silence());
            assertThat(hasty.upload("one", "b/f", SERVICE, "x").refusal()).startsWith("502 upstream_failed");
            hasty.network().mend();
            await().until(() -> hasty.upload("one", "b/f", SERVICE, "x").status() == 200);
            hasty.network().fail(1_000, READS, new Fault.Silence());
            assertThat(hasty.get("one", "/object/public/b/f", "").status()).isEqualTo(502);
        }
    }

    @Test
    void aClientThatLeavesWhileS3IsWaitedForLeavesNothing() throws IOException {
        for (String request : new String[] {
            "GET /one/object/public/b/kept HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST /one/object/b/left HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\nContent-Length: 1\r\n\r\nx",
            "PUT /one/object/b/left HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\nContent-Length: 2\r\n\r\nx"
        }) {
            storage.network().fail(1_000, call -> true, new Fault.Silence());
            try (Socket socket = new Socket("127.0.0.1", storage.port())) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                await().until(() -> storage.budget().held() > 0);
                if (!request.startsWith("PUT")) {
                    await().until(() -> storage.network().faults() > 0);
                }
            }
            storage.network().mend();
            await().until(storage::idle);
        }
        assertThat(storage.get("one", "/object/public/b/kept", "").bytes()).isEqualTo(LARGE);
    }

    @Test
    void callsThatFindNoStoreAtTheStartWaitForNoneOfTheOthers() {
        try (var fresh = StorageForTests.withNetwork(Duration.ofSeconds(60))) {
            fresh.project("one");
            fresh.bucket("one", "b", true);
            fresh.network().fail(1_000, call -> true, new Fault.Silence());
            List<CompletableFuture<Answer>> calls = IntStream.range(0, 5)
                    .mapToObj(number -> supplied(() -> fresh.upload("one", "b/" + number, SERVICE, "x")))
                    .toList();
            await().until(() -> fresh.network().faults() == calls.size());
            fresh.network().mend();
            calls.forEach(call -> assertThat(call.join().status()).isEqualTo(200));
        }
    }

    private static CompletableFuture<Answer> supplied(Supplier<Answer> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }
}
