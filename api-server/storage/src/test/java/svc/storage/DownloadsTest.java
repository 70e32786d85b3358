package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** Files are read whole, in part, on conditions, and only with the right to read them. */
class DownloadsTest {
    private static final String NOT_FOUND = "404 not_found: Object not found";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "open", true);
        storage.bucket("one", "closed", false);
        storage.upload("one", "open/f.txt", SERVICE, "0123456789", "content-type", "text/plain");
        storage.upload("one", "open/empty", SERVICE, "");
        storage.upload("one", "closed/f.txt", SERVICE, "secret");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-3, 0123, bytes 0-3/10",
        "bytes=7-, 789, bytes 7-9/10",
        "bytes=-2, 89, bytes 8-9/10",
        "bytes=-99, 0123456789, bytes 0-9/10",
        "bytes=8-99, 89, bytes 8-9/10",
        "bytes = 4 - 4, 4, bytes 4-4/10"
    })
    void oneRangeIsAnswered(String range, String body, String contentRange) {
        Answer part = storage.get("one", "/object/public/open/f.txt", "", "range", range);
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(body);
        assertThat(part.header("content-range")).isEqualTo(contentRange);
        assertThat(part.header("content-length")).isEqualTo(Integer.toString(body.length()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bytes=10-", "bytes=5-4", "bytes=-", "bytes=-0", "bytes=a-b", "bytes=99999999999999999999-"})
    void otherRangesAreRefused(String range) {
        Answer refused = storage.get("one", "/object/public/open/f.txt", "", "range", range);
        assertThat(refused.status()).isEqualTo(416);
        assertThat(refused.text("error")).isEqualTo("invalid_range");
        assertThat(refused.header("content-range")).isEqualTo("bytes */10");
    }

    /** RFC 9110, 14.2: a server may ignore the header, and then sends the whole file. */
    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-0,5-6", "bytes=0-1, 3-4", "bytes=20-,0-0", "bytes=-1,,", "bytes=0-0,x"})
    void severalRangesAreTheWholeFile(String range) {
        Answer whole = storage.get("one", "/object/public/open/f.txt", "", "range", range);
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo("0123456789");
        assertThat(whole.header("content-range")).isEmpty();
    }

    @Test
    void conditionsSpareTheBody() {
        Answer whole = storage.get("one", "/object/public/open/f.txt", "");
        assertThat(whole.header("accept-ranges")).isEqualTo("bytes");
        assertThat(whole.header("cache-control")).isEqualTo("no-cache");
        String etag = whole.header("etag");
        String modified = whole.header("last-modified");

        for (String[] condition : new String[][] {
            {"if-none-match", etag},
            {"if-none-match", "\"x\", W/" + etag},
            {"if-none-match", "*"},
            {"if-modified-since", modified}
        }) {
            Answer known = storage.get("one", "/object/public/open/f.txt", "", condition);
            assertThat(known.status()).as(Arrays.toString(condition)).isEqualTo(304);
            assertThat(known.bytes()).isEmpty();
            assertThat(known.header("etag")).isEqualTo(etag);
        }
        assertThat(storage.get(
                                "one",
                                "/object/public/open/f.txt",
                                "",
                                "if-none-match",
                                "\"x\"",
                                "if-modified-since",
                                modified)
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/object/public/open/f.txt", "", "range", "bytes=0-1", "if-range", etag)
                        .status())
                .isEqualTo(206);
        assertThat(storage.get("one", "/object/public/open/f.txt", "", "range", "bytes=0-1", "if-range", "\"x\"")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void headTellsWithoutTheBody() {
        Answer head = storage.call("one", "HEAD", "/object/open/f.txt", SERVICE);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("content-length")).isEqualTo("10");
        assertThat(head.bytes()).isEmpty();
        assertThat(storage.call("one", "HEAD", "/object/open/none", SERVICE).status())
                .isEqualTo(400);
    }

    @Test
    void anEmptyFileIsEmpty() {
        Answer read = storage.get("one", "/object/public/open/empty", "");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.bytes()).isEmpty();
        assertThat(read.header("content-length")).isEqualTo("0");
    }

    @Test
    void aDownloadIsNamedAsAsked() {
        assertThat(storage.get("one", "/object/public/open/f.txt?download", "").header("content-disposition"))
                .isEqualTo("attachment");
        assertThat(disposition("my%20%22%0d%0afile.txt"))
                .isEqualTo("attachment; filename=\"my ___file.txt\"; filename*=UTF-8''my%20%22%0D%0Afile.txt");
    }

    /** RFC 6266: the first name is not percent-decoded, so it is in quotes and in ASCII; the second one is exact. */
    @Test
    void aDownloadHasItsNameInBothFormsOfTheHeader() {
        assertThat(disposition("report%281%29.pdf"))
                .isEqualTo("attachment; filename=\"report(1).pdf\"; filename*=UTF-8''report%281%29.pdf");
        assertThat(disposition("%C3%BC%E2%80%99%F0%9F%98%80.txt"))
                .isEqualTo("attachment; filename=\"___.txt\"; filename*=UTF-8''%C3%BC%E2%80%99%F0%9F%98%80.txt");
        assertThat(disposition("50%25%32%30a%5C%7E%2A.txt"))
                .isEqualTo("attachment; filename=\"50_20a_~*.txt\"; filename*=UTF-8''50%2520a%5C%7E%2A.txt");
    }

    private static String disposition(String name) {
        return storage.get("one", "/object/public/open/f.txt?download=" + name, "")
                .header("content-disposition");
    }

    @Test
    void onlyAPublicBucketIsOpenToAll() {
        assertThat(storage.get("one", "/object/open/f.txt", "").body()).isEqualTo("0123456789");
        assertThat(storage.get("one", "/object/public/closed/f.txt", "").refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        assertThat(storage.get("one", "/object/info/public/closed/f.txt", "").status())
                .isEqualTo(400);
        for (String path : new String[] {"/object/closed/f.txt", "/object/authenticated/closed/f.txt"}) {
            assertThat(storage.get("one", path, "").refusal()).isEqualTo(NOT_FOUND);
            assertThat(storage.get("one", path, ALICE).refusal()).isEqualTo(NOT_FOUND);
            assertThat(storage.get("one", path, SERVICE).body()).isEqualTo("secret");
        }
        // A public bucket opens files, not policies.
        assertThat(storage.get("one", "/object/authenticated/open/f.txt", ALICE).refusal())
                .isEqualTo(NOT_FOUND);
        assertThat(storage.get("one", "/object/public/open/none", "").refusal()).isEqualTo(NOT_FOUND);
    }

    @Test
    void aReaderThatStopsHoldsOneWindowAndLeavesNothing() throws IOException {
        byte[] bytes = new byte[12 << 20];
        new Random(2).nextBytes(bytes);
        storage.upload("one", "open/large", SERVICE, bytes);
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            socket.setReceiveBufferSize(16 << 10);
            socket.getOutputStream()
                    .write("GET /one/object/public/open/large HTTP/1.1\r\nHost: x\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] some = socket.getInputStream().readNBytes(1000);
            assertThat(some).hasSize(1000);
            assertThat(storage.budget().held()).isBetween(1L, 2L << 20);
            // Its neighbours read meanwhile.
            assertThat(storage.get("one", "/object/public/open/large", "").bytes())
                    .isEqualTo(bytes);
        }
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
    }

    /** Its bytes are kept in memory, its row never is. */
    @Test
    void aFileThatIsReadOftenIsTheOneOfItsRow() {
        storage.upload("one", "closed/often", SERVICE, "first");
        for (int i = 0; i < 5; i++) {
            assertThat(storage.get("one", "/object/closed/often", SERVICE).body())
                    .isEqualTo("first");
            assertThat(storage.get("one", "/object/closed/often", ALICE).refusal())
                    .isEqualTo(NOT_FOUND);
        }
        assertThat(storage.cached()).isPositive();
        assertThat(storage.get("one", "/object/closed/often", SERVICE, "range", "bytes=1-2")
                        .body())
                .isEqualTo("ir");

        storage.upload("one", "closed/often", SERVICE, "second", "x-upsert", "true");
        assertThat(storage.get("one", "/object/closed/often", SERVICE).body()).isEqualTo("second");
        storage.call("one", "DELETE", "/object/closed/often", SERVICE);
        assertThat(storage.get("one", "/object/closed/often", SERVICE).refusal())
                .isEqualTo(NOT_FOUND);
    }

    /** Which of the two is asked first changes with what was read before. */
    @Test
    void aBucketThatBecomesPublicIsOpenAtOnce() {
        storage.bucket("one", "turned", false);
        storage.upload("one", "turned/f", SERVICE, "x");
        for (String open : new String[] {"false", "true", "false"}) {
            storage.call("one", "PUT", "/bucket/turned", SERVICE, "{\"public\":" + open + "}");
            for (int i = 0; i < 3; i++) {
                assertThat(storage.get("one", "/object/turned/f", SERVICE).body())
                        .isEqualTo("x");
                assertThat(storage.get("one", "/object/turned/f", ALICE).body().equals("x"))
                        .as("public: " + open)
                        .isEqualTo(open.equals("true"));
            }
        }
    }

    @Test
    void readersThatLeaveLeaveNothing() throws IOException {
        byte[] bytes = new byte[6 << 20];
        storage.upload("one", "open/left", SERVICE, bytes);
        for (int i = 0; i < 40; i++) {
            try (Socket socket = new Socket("127.0.0.1", storage.port())) {
                socket.getOutputStream()
                        .write("GET /one/object/public/open/left HTTP/1.1\r\nHost: x\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                if (i % 2 == 0) {
                    assertThat(socket.getInputStream().readNBytes(1000)).hasSize(1000);
                }
            }
        }
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
        assertThat(storage.get("one", "/object/public/open/left", "").bytes()).isEqualTo(bytes);
    }

    @Test
    void bytesThatAreGoneAreNotFound() {
        storage.upload("one", "open/gone", SERVICE, "x");
        String version = storage.get("one", "/object/info/public/open/gone", "").text("version");
        storage.store()
                .delete(java.util.List.of(new svc.storage.content.ContentKey(
                        storage.tenant("one").projectId(), java.util.UUID.fromString(version))));
        assertThat(storage.get("one", "/object/public/open/gone", "").refusal()).isEqualTo(NOT_FOUND);
        assertThat(storage.call("one", "DELETE", "/object/open/gone", SERVICE).status())
                .isEqualTo(200);
    }

    @Test
    void whatIsNotBuiltSaysSo() {
        for (String path : new String[] {"/vector/x", "/iceberg/x"}) {
            Answer refused = storage.get("one", path, SERVICE);
            assertThat(refused.status()).isEqualTo(501);
            assertThat(refused.text("error")).isEqualTo("not_implemented");
        }
        assertThat(storage.get("one", "/elsewhere", SERVICE).status()).isEqualTo(404);
        assertThat(storage.get("one", "/status", SERVICE).status()).isEqualTo(200);
    }
}
