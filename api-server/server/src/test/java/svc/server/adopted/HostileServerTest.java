package svc.server.adopted;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The server of an adopted database may be malicious: it receives no password, and other projects are not affected. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class HostileServerTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Queue<byte[]> heard = new ConcurrentLinkedQueue<>();
    private ServerSocket server;
    private AdoptedDatabaseForTests database;
    private AdoptedDatabaseForTests neighbour;

    @BeforeEach
    void adopt() throws IOException {
        database = AdoptedDatabaseForTests.adopt(client, tenants);
        neighbour = AdoptedDatabaseForTests.adopt(client, tenants);
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** Sends this to each client, and records what the client sends. */
    private void saying(byte[] words, boolean closing) {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket caller = server.accept();
                    Thread.ofVirtual().start(() -> talk(caller, words, closing));
                } catch (IOException e) {
                    return;
                }
            }
        });
        database.serve(server.getLocalPort(), AdoptedDatabaseForTests.PASSWORD, true);
    }

    private void talk(Socket caller, byte[] words, boolean closing) {
        var all = new ByteArrayOutputStream();
        try (caller;
                InputStream in = caller.getInputStream()) {
            byte[] buffer = new byte[4096];
            all.write(buffer, 0, Math.max(0, in.read(buffer)));
            caller.getOutputStream().write(words);
            caller.getOutputStream().flush();
            if (closing) {
                return;
            }
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                all.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // The client disconnected.
            return;
        } finally {
            heard.add(all.toByteArray());
        }
    }

    private void unavailableAndNeighbourServed() {
        Http.Answer answer = database.http().get("/rest/v1/todos");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
        Http.Answer other = neighbour.http().get("/rest/v1/todos?select=task");
        assertThat(other.status()).as(other.toString()).isEqualTo(200);
        noSecretIsHeard();
    }

    private void noSecretIsHeard() {
        assertThat(heard)
                .noneMatch(said ->
                        new String(said, StandardCharsets.ISO_8859_1).contains(AdoptedDatabaseForTests.PASSWORD))
                .noneMatch(said -> new String(said, StandardCharsets.ISO_8859_1).contains("svc_catalog"));
    }

    @Test
    void aServerThatAsksForThePasswordItselfGetsNone() {
        // AuthenticationCleartextPassword.
        saying(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 3}, false);
        unavailableAndNeighbourServed();
        // Known when the client has disconnected.
        await().until(() -> !heard.isEmpty());
        noSecretIsHeard();
    }

    @Test
    void aServerThatTalksNonsenseIsUnavailable() {
        saying("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII), true);
        unavailableAndNeighbourServed();
    }

    @Test
    void aServerThatHangsUpIsUnavailable() {
        saying(new byte[0], true);
        unavailableAndNeighbourServed();
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() {
        saying(new byte[0], false);
        unavailableAndNeighbourServed();
    }

    @Test
    void itsErrorsMayHaveAnyCode() {
        byte[] fields = "SFATAL\0C!\0Mgo away\0\0".getBytes(StandardCharsets.US_ASCII);
        var error = new ByteArrayOutputStream();
        error.write('E');
        error.writeBytes(new byte[] {0, 0, 0, (byte) (fields.length + 4)});
        error.writeBytes(fields);
        saying(error.toByteArray(), true);
        unavailableAndNeighbourServed();
    }
}
