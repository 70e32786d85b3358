package svc.auth.mail;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/**
 * A connection to a mail server, that breaks when the server sends more than a conversation needs. Hazard: the library collects
 * a line, and an answer of several lines, without a limit. TLS reads through this socket, so that its bytes count too.
 */
final class SmtpSocket extends Socket {
    /** A chain of certificates, and some twenty answers. */
    static final int MAX_RECEIVED_BYTES = 128 << 10;

    private long received;

    /** The server sent too much. */
    static final class TooMuchException extends IOException {
        private static final long serialVersionUID = 1L;

        TooMuchException() {
            super("the server sent more than " + MAX_RECEIVED_BYTES + " bytes");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new Counting(super.getInputStream());
    }

    private void count(int bytes) throws IOException {
        received += Math.max(0, bytes);
        if (received > MAX_RECEIVED_BYTES) {
            close();
            throw new TooMuchException();
        }
    }

    private final class Counting extends FilterInputStream {
        Counting(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = in.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = in.read(into, offset, length);
            count(read);
            return read;
        }
    }
}
