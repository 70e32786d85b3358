package svc.database.socket;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A socket that breaks when its peer sends more than it may, or for too long. Its channel, which an event loop can take
 * over, has no limit: what takes it over counts by itself.
 */
final class BoundedSocket extends Socket {
    private final SocketChannel channel = SocketChannel.open();
    private final Socket socket = channel.socket();
    private final SocketLogin login;
    private final long beganNanos = System.nanoTime();
    private final AtomicLong received = new AtomicLong();

    BoundedSocket(SocketLogin login) throws IOException {
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
    public void connect(SocketAddress to) throws IOException {
        socket.connect(to);
    }

    @Override
    public void connect(SocketAddress to, int timeout) throws IOException {
        socket.connect(to, timeout);
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        socket.bind(local);
    }

    @Override
    public InetAddress getInetAddress() {
        return socket.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return socket.getLocalAddress();
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return socket.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return socket.getLocalSocketAddress();
    }

    @Override
    public boolean isConnected() {
        return socket.isConnected();
    }

    @Override
    public boolean isBound() {
        return socket.isBound();
    }

    @Override
    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return socket.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return socket.isOutputShutdown();
    }

    @Override
    public void shutdownInput() throws IOException {
        socket.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        socket.setSoTimeout(timeout);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return socket.getSoTimeout();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        socket.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return socket.getTcpNoDelay();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        socket.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return socket.getKeepAlive();
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        socket.setSoLinger(on, linger);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return socket.getSoLinger();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        socket.setSendBufferSize(size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return socket.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        socket.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return socket.getReceiveBufferSize();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        channel.close();
    }
}
