package svc.postgres.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server that does not know the password's verifier learns nothing, whatever it asks for. */
class FalseServerTest {
    private static final String PASSWORD = "correct horse battery staple";
    private static final int OK = 0;
    private static final int CLEARTEXT = 3;
    private static final int SASL = 10;
    private static final int CONTINUE = 11;
    private static final int FINAL = 12;

    /** What the server does after the startup message. */
    private interface Script {
        void run(DataInputStream in, DataOutputStream out) throws IOException;
    }

    private static void request(DataOutputStream out, int kind, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        out.writeByte('R');
        out.writeInt(8 + content.length);
        out.writeInt(kind);
        out.write(content);
        out.flush();
    }

    private static String message(DataInputStream in) throws IOException {
        in.readByte();
        return new String(in.readNBytes(in.readInt() - 4), StandardCharsets.UTF_8);
    }

    /** The nonce in the client's first message. */
    private static String offerScram(DataInputStream in, DataOutputStream out) throws IOException {
        request(out, SASL, "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
        String first = message(in);
        assertThat(first).as("no channel binding").contains("n,,n=");
        return first.substring(first.indexOf("r=") + 2);
    }

    /** Why the login failed, and that the password was not sent. */
    private static void assertRefused(String why, Script script) throws Exception {
        var sent = new CompletableFuture<String>();
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server, script, sent));
            ServerAddress address =
                    ServerAddress.of("jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/db?sslmode=disable");
            assertThatThrownBy(() -> OwnerSession.open(address, "owner", PASSWORD, Duration.ofSeconds(30), Map.of())
                            .close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(why);
            assertThat(sent.get()).doesNotContain(PASSWORD);
        }
    }

    private static void serve(ServerSocket server, Script script, CompletableFuture<String> sent) {
        try (var socket = server.accept()) {
            var in = new DataInputStream(socket.getInputStream());
            in.readNBytes(in.readInt() - 4);
            script.run(in, new DataOutputStream(socket.getOutputStream()));
            sent.complete(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException | AssertionError e) {
            sent.completeExceptionally(e);
        }
    }

    @Test
    void aPasswordInTheClearIsNotSent() throws Exception {
        assertRefused("other than SCRAM", (in, out) -> request(out, CLEARTEXT, ""));
    }

    @Test
    void aLoginWithoutAnyProofIsRefused() throws Exception {
        assertRefused("without a password", (in, out) -> request(out, OK, ""));
    }

    @Test
    void anotherMechanismIsRefused() throws Exception {
        assertRefused("does not offer", (in, out) -> request(out, SASL, "PLAIN\0\0"));
    }

    @Test
    void anotherNonceIsRefused() throws Exception {
        assertRefused("not one of SCRAM", (in, out) -> {
            offerScram(in, out);
            request(out, CONTINUE, "r=another,s=QSXCR+Q6sek8bf92,i=4096");
        });
    }

    @Test
    void anEmptyChallengeIsRefused() throws Exception {
        assertRefused("not one of SCRAM", (in, out) -> {
            offerScram(in, out);
            request(out, CONTINUE, "");
        });
    }

    /** It would cost minutes of our processor. */
    @Test
    void tooManyIterationsAreRefused() throws Exception {
        assertRefused("iterations", (in, out) -> {
            String nonce = offerScram(in, out);
            request(out, CONTINUE, "r=" + nonce + "x,s=QSXCR+Q6sek8bf92,i=2000000000");
        });
    }

    @Test
    void aSignatureOfAnotherPasswordIsRefused() throws Exception {
        assertRefused("could not prove", (in, out) -> {
            String nonce = offerScram(in, out);
            request(out, CONTINUE, "r=" + nonce + "x,s=QSXCR+Q6sek8bf92,i=4096");
            assertThat(message(in)).startsWith("c=biws,r=" + nonce + "x,p=");
            request(out, FINAL, "v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        });
    }

    @Test
    void aSignatureWithoutAChallengeIsRefused() throws Exception {
        assertRefused("could not prove", (in, out) -> {
            offerScram(in, out);
            request(out, FINAL, "v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        });
    }

    /** Nothing takes memory because a head announces it. */
    @Test
    void anEndlessMessageIsRefused() throws Exception {
        assertRefused("reading a message", (in, out) -> {
            out.writeByte('R');
            out.writeInt(Integer.MAX_VALUE);
            out.flush();
        });
    }
}
