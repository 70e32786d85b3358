package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.StorageSpec;
import svc.storage.StorageHttp.Answer;

/** Bodies that have no end, or another one than they say, are refused early and leave nothing. */
class HostileBodiesTest {
    private static final String FORM = "multipart/form-data; boundary=x";
    private static final String FILE =
            "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"f\"\r\n\r\nbytes\r\n";
    private static final String FIELD = "--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";
    private static final String END = "--x--\r\n";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests(Duration.ofSeconds(3));
        storage.project("one");
        storage.serve(storage.tenant("one").withStorage(new StorageSpec(null, 1L << 20, null, null, null)));
        storage.bucket("one", "b", false);
    }

    @AfterEach
    void nothingIsLeft() {
        await().until(storage::idle);
        assertThat(storage.get("one", "/object/b/f", SERVICE).refusal()).isEqualTo("404 not_found: Object not found");
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static Answer form(String body, String... headers) {
        String[] all = headers.length == 0 ? new String[] {"content-type", FORM} : headers;
        return storage.upload("one", "b/f", SERVICE, body, all);
    }

    /** A body that goes on until it is refused. */
    private static CompletableFuture<Answer> endless(String begin, String again) {
        byte[] head = begin.getBytes(StandardCharsets.UTF_8);
        byte[] rest = again.getBytes(StandardCharsets.UTF_8);
        Supplier<InputStream> body = () -> new InputStream() {
            private long at;

            @Override
            public int read() {
                long now = at++;
                return now < head.length ? head[(int) now] : rest[(int) ((now - head.length) % rest.length)];
            }
        };
        return beside(() -> storage.send(
                "one", "POST", "/object/b/f", SERVICE, BodyPublishers.ofInputStream(body), "content-type", FORM));
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }

    private static void isRefused(Answer answer, String refusal) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.refusal()).startsWith(refusal);
    }

    @Test
    void aFormWithoutEndIsRefused() {
        String tooLarge = "413 Payload too large: The object exceeded the maximum allowed size";
        // By what comes again and again.
        Map<String, CompletableFuture<Answer>> refused = new LinkedHashMap<>();
        refused.put(tooLarge + " .", endless(FILE.replace("bytes\r\n", ""), "0123456789abcdef".repeat(64)));
        refused.put(tooLarge, endless("", "0123456789abcde\n".repeat(64)));
        refused.put("400 Error: The form has more than 64 parts", endless(FILE, FIELD.formatted("a", "")));
        refused.put(
                "413 Payload too large: user_metadata",
                endless("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n", "x".repeat(1024)));
        refused.put(
                "400 Error: The form cannot be read",
                endless("--x\r\nContent-Disposition: form-data; name=\"", "a".repeat(1024)));
        refused.put("400 Error: The form cannot", endless("--x\r\n", "A: b\r\n"));
        refused.forEach((refusal, answer) -> isRefused(answer.join(), refusal.replace(" .", "")));
    }

    @Test
    void aFormOfThousandsOfPartsIsRefused() {
        isRefused(form(FIELD.formatted("a", "b").repeat(5_000) + FILE + END), "400 Error: The form has more than 64");
        isRefused(form(FILE.repeat(2) + END), "400 Error: The form has more than one file");
        isRefused(
                form("--x\r\n" + "A: b\r\n".repeat(5_000) + "\r\nbytes\r\n" + END),
                "400 Error: The form cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=y",
                "multipart/form-data; boundary=\"",
                "multipart/form-data; boundary=--x",
                "multipart/form-data; charset=nonsense; boundary=y"
            })
    void anotherBoundaryIsRefused(String type) {
        isRefused(form(FILE + END, "content-type", type), "400 Error: The form");
        isRefused(form(FILE + END, "content-type", type + "z".repeat(5_000)), "400 Error: The form");
    }

    /** RFC 2046, 5.1.1: a longer one takes memory of the process at each connection. */
    @Test
    void aBoundaryHasAtMostSeventyCharacters() {
        String form = FILE + FIELD.formatted("a", "b") + END;
        for (int length : new int[] {70, 71}) {
            String boundary = "x".repeat(length);
            Answer answer = storage.upload(
                    "one",
                    "b/boundary" + length,
                    SERVICE,
                    form.replace("--x", "--" + boundary),
                    "content-type",
                    "multipart/form-data; boundary=" + boundary);
            if (length == 70) {
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            } else {
                isRefused(answer, "400 Error: The form cannot be read: its boundary has more than 70 characters");
            }
        }
    }

    @Test
    void metadataThatWouldTakeFiftyTimesItsBytesIsRefused() {
        isRefused(
                form(FIELD.formatted("metadata", "{\"a\":[" + "0,".repeat(100_000) + "0]}") + FILE + END),
                "413 Payload too large: user_metadata");
        isRefused(
                form(FIELD.formatted("metadata", "{\"a\":\"" + "x".repeat((1 << 20) + (80 << 10)) + "\"}")
                        + FILE
                        + END),
                "413 Payload too large: user_metadata");
    }

    /** The begin of the answer; empty for a connection that is closed without one. */
    private static String raw(String head, String body, boolean leave) {
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /one/object/b/f HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n" + head
                            + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.UTF_8));
            if (leave) {
                socket.shutdownOutput();
            }
            byte[] answer = socket.getInputStream().readNBytes(12);
            return new String(answer, StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each case: a head, a body, and what comes: a status, or {@code cut} for 400 or nothing, after which the client leaves. */
    static List<List<String>> bodiesOfAnotherLength() {
        String form = "\r\nContent-Type: " + FORM;
        return List.of(
                List.of("Content-Length: 100", "short", "cut"),
                List.of("Content-Length: 100", "silent", "408"),
                List.of("Content-Length: -1", "x", "400"),
                List.of("Content-Length: 1e3", "x", "400"),
                List.of("Content-Length: 3\r\nContent-Length: 4", "abcd", "400"),
                List.of("Transfer-Encoding: chunked", "5\r\nabc", "cut"),
                List.of("Transfer-Encoding: chunked", "zz\r\nabc\r\n0\r\n\r\n", "cut"),
                List.of("Transfer-Encoding: chunked", "3\r\nabc\r\n", "408"),
                List.of("Content-Length: 9000000000000000000", "x", "400"),
                List.of("Content-Length: 99999999999999999999", "x", "400"),
                List.of("Content-Length: 60" + form, FILE, "400"),
                List.of("Content-Length: 5000" + form, "", "408"),
                List.of("Content-Length: 5000" + form, "--x\r\nContent-", "408"),
                List.of("Content-Length: 5000" + form, FILE.replace("bytes\r\n", "by"), "408"),
                List.of("Content-Length: 5000" + form, FILE, "408"),
                List.of("Content-Length: 5000" + form, FILE + "--x", "408"));
    }

    @Test
    void aBodyOfAnotherLengthThanItSaysIsNoFile() {
        Map<List<String>, CompletableFuture<String>> answers = new LinkedHashMap<>();
        for (List<String> one : bodiesOfAnotherLength()) {
            answers.put(one, beside(() -> raw(one.get(0), one.get(1), one.get(2).equals("cut"))));
        }
        answers.forEach((one, answer) -> {
            if (one.get(2).equals("cut")) {
                assertThat(answer.join()).as(one.toString()).isIn("", "HTTP/1.1 400");
            } else {
                assertThat(answer.join()).as(one.toString()).isEqualTo("HTTP/1.1 " + one.get(2));
            }
        });
    }
}
