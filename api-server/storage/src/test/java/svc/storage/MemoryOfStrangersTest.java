package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.memory.ByteBudget;

/** What strangers make the process hold: it is returned however they leave, and takes nothing of a project's own share. */
class MemoryOfStrangersTest {
    private static final int FILE = 6 << 20;
    private static final String PUBLIC = "/one/object/public/open/large";

    private static StorageForTests storage;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "open", true);
        storage.bucket("one", "closed", false);
        storage.upload("one", "open/large", SERVICE, new byte[FILE]);
        storage.upload("one", "closed/large", SERVICE, new byte[FILE]);
    }

    @AfterEach
    void everythingIsReturned() throws IOException {
        leave();
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private void leave() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    private Socket send(String head) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress("127.0.0.1", storage.port()));
        sockets.add(socket);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String get(String path, String bearer) {
        String authorization = bearer.isEmpty() ? "" : "Authorization: Bearer " + bearer + "\r\n";
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + authorization + "\r\n";
    }

    private static ByteBudget.Permit allOf(ByteBudget.Account account) {
        ByteBudget.Permit permit = account.open();
        for (long more = storage.budget().largest(); more > 0; more /= 2) {
            while (permit.grow(more) == ByteBudget.Verdict.GRANTED) {
                continue;
            }
        }
        return permit;
    }

    @Test
    void readersThatLeaveWhileTheyWaitForMemoryHoldNothing() throws IOException {
        ByteBudget.Permit all = allOf(storage.budget().account("one"));
        for (int i = 0; i < 10; i++) {
            send(get("/one/object/authenticated/closed/large", SERVICE));
        }
        for (int i = 0; i < 10; i++) {
            // Answered behind those requests.
            assertThat(storage.get("one", "/object/info/public/open/large", "").status())
                    .isEqualTo(200);
        }
        leave();
        for (int i = 0; i < 10; i++) {
            assertThat(storage.get("one", "/object/info/public/open/large", "").status())
                    .isEqualTo(200);
        }
        all.close();

        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
        assertThat(storage.get("one", "/object/closed/large", SERVICE).bytes()).hasSize(FILE);
    }

    @Test
    void slowReadersOfAPublicFileLeaveTheProjectItsOwnMemory() throws IOException {
        for (int i = 0; i < 60; i++) {
            send(get(PUBLIC, ""));
        }
        ByteBudget.Account strangers = storage.budget().account("one").ofStrangers();
        await().untilAsserted(() -> assertThat(strangers.held()).isGreaterThan(20 << 20));
        assertThat(storage.budget().account("one").held()).isZero();

        assertThat(storage.upload("one", "closed/own", SERVICE, new byte[7 << 20])
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/object/closed/large", SERVICE).bytes()).hasSize(FILE);
    }

    /** The share of public readers is in use, and all of them take nothing. */
    @Test
    void theReaderThatTakesNothingGivesBackForAnother() throws IOException {
        for (int i = 0; i < 100; i++) {
            send(get(PUBLIC, ""));
        }
        await().until(() -> storage.budget().waiting() > 0);

        // On a busy machine their sockets take something for longer than one request waits; none gives back by itself.
        await().untilAsserted(() -> assertThat(
                        storage.get("one", "/object/public/open/large", "").bytes())
                .hasSize(FILE));
    }

    @Test
    void beforeTheRightIsKnownAnUploadHoldsWhatHasArrived() throws IOException {
        int forms = 6;
        for (int i = 0; i < forms; i++) {
            send("POST /one/object/closed/form" + i + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + ALICE
                    + "\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 50000000\r\n\r\n"
                    + "--x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n"
                    + " ".repeat(20 << 10));
        }
        await().untilAsserted(() -> assertThat(storage.budget().held()).isGreaterThanOrEqualTo(forms * (148L << 10)));

        assertThat(storage.budget().held()).isLessThan(forms * (200L << 10));
        assertThat(storage.budget().account("one").held()).isZero();
    }

    @Test
    void anUploadWithoutTheRightIsRefusedWithoutMemory() {
        ByteBudget.Permit all = allOf(storage.budget().account("one"));

        assertThat(storage.upload("one", "closed/f", ALICE, new byte[7 << 20]).refusal())
                .isEqualTo("403 Unauthorized: new row violates row-level security policy");
        all.close();
    }
}
