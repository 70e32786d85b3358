package svc.database.socket;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import svc.database.network.CheckedSocket;
import svc.database.network.ServerNetworks;

/**
 * A socket that connects to allowed networks only, and that breaks when its peer sends more than it may, or for too long. Its
 * channel, which an event loop can take
 * over, has no limit: what takes it over counts by itself.
 */
final class BoundedSocket extends CheckedSocket {
    private final SocketChannel channel;
    private final Socket socket;
    private final SocketLogin login;
    private final long beganNanos = System.nanoTime();
    private final AtomicLong received = new AtomicLong();

    BoundedSocket(SocketLogin login, ServerNetworks networks) throws IOException {
        this(SocketChannel.open(), login, networks);
    }

    private BoundedSocket(SocketChannel channel, SocketLogin login, ServerNetworks networks) {
        super(channel.socket(), networks);
        this.channel = channel;
        this.socket = channel.socket();
        this.login = login;
    }

    private void count(int bytes) throws IOException {
        SocketLimits limits = login.limits();
        long most = switch (login.phase()) {
            case LOGGING_IN -> SocketLimits.LOGIN_BYTES;
            case LOGGED_IN -> limits.answerBytes();
            case ABANDONED -> 0;
        };
        if (received.addAndGet(bytes) > most) {
            socket.close();
            throw new IOException("the server sent more than it may");
        }
        if (limits.seconds() > 0 && System.nanoTime() - beganNanos > limits.seconds() * 1_000_000_000L) {
            socket.close();
            throw new IOException("the server took longer than it may");
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
            count(Math.max(0, read));
            return read;
        }
    }

    /** In a login all that is received counts together; from then on a question entitles to an answer. */
    private final class Asking extends FilterOutputStream {
        Asking(OutputStream out) {
            super(out);
        }

        private void asked() {
            if (login.phase() == SocketLogin.Phase.LOGGED_IN) {
                received.set(0);
            }
        }

        @Override
        public void write(int single) throws IOException {
            asked();
            out.write(single);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            asked();
            out.write(from, offset, length);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new Counting(socket.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new Asking(socket.getOutputStream());
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        channel.close();
    }
}
