package svc.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** The driver never sees a message of the log that is longer than it may be, and all others as they are. */
class ShortenedMessagesTest {
    private static final int MAX_MESSAGE = 10;

    private static void message(DataOutputStream out, char kind, int bytes) throws IOException {
        out.write(kind);
        out.writeInt(bytes + 4);
        out.write(new byte[bytes]);
    }

    private static byte[] sent(boolean asked, int copyData) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        if (asked) {
            out.write('N');
        }
        message(out, 'R', 8);
        message(out, 'T', 5000);
        message(out, 'd', copyData);
        message(out, 'd', 3);
        message(out, 'Z', 1);
        return bytes.toByteArray();
    }

    @Test
    void longDataOfACopyIsCutAndNothingElse() throws IOException {
        for (boolean asked : new boolean[] {true, false}) {
            try (var in = new ShortenedMessages(new ByteArrayInputStream(sent(asked, 1000)), MAX_MESSAGE)) {
                assertThat(in.readAllBytes()).isEqualTo(sent(asked, MAX_MESSAGE));
            }
        }
    }

    @Test
    void aTimeoutAtAnyByteLosesNothing() throws IOException {
        var socket = new InputStream() {
            private final InputStream bytes = new ByteArrayInputStream(sent(true, 1000));
            private boolean late;

            @Override
            public int read() throws IOException {
                late = !late;
                if (late) {
                    throw new SocketTimeoutException();
                }
                return bytes.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int single = read();
                if (single < 0) {
                    return -1;
                }
                into[offset] = (byte) single;
                return 1;
            }
        };
        var received = new ByteArrayOutputStream();
        try (var in = new ShortenedMessages(socket, MAX_MESSAGE)) {
            while (true) {
                try {
                    int single = in.read();
                    if (single < 0) {
                        break;
                    }
                    received.write(single);
                } catch (SocketTimeoutException e) {
                    // Comes again, as the driver does.
                }
            }
        }
        assertThat(received.toByteArray()).isEqualTo(sent(true, MAX_MESSAGE));
    }

    @Test
    void tlsPassesAsItIs() throws IOException {
        byte[] encrypted = {'S', 'd', 0, 0, 1, 0, 9, 9, 9};
        try (var in = new ShortenedMessages(new ByteArrayInputStream(encrypted), MAX_MESSAGE)) {
            assertThat(in.readAllBytes()).isEqualTo(encrypted);
        }
    }
}
