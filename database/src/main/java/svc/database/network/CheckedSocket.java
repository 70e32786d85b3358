package svc.database.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;

/**
 * A socket that connects only to addresses that the networks allow. Everything else is the inner one's, which may belong to
 * a channel.
 */
public class CheckedSocket extends Socket {
    private final Socket inner;
    private final ServerNetworks networks;

    public CheckedSocket(Socket inner, ServerNetworks networks) {
        this.inner = inner;
        this.networks = networks;
    }

    @Override
    public void connect(SocketAddress server) throws IOException {
        connect(server, 0);
    }

    @Override
    public void connect(SocketAddress server, int timeoutMillis) throws IOException {
        networks.check(server);
        inner.connect(server, timeoutMillis);
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        inner.bind(local);
    }

    @Override
    public InetAddress getInetAddress() {
        return inner.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return inner.getLocalAddress();
    }

    @Override
    public int getPort() {
        return inner.getPort();
    }

    @Override
    public int getLocalPort() {
        return inner.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return inner.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return inner.getLocalSocketAddress();
    }

    @Override
    public SocketChannel getChannel() {
        return inner.getChannel();
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return inner.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return inner.getOutputStream();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        inner.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return inner.getTcpNoDelay();
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        inner.setSoLinger(on, seconds);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return inner.getSoLinger();
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        inner.sendUrgentData(data);
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        inner.setOOBInline(on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return inner.getOOBInline();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        inner.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return inner.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
        inner.setSendBufferSize(bytes);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return inner.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        inner.setReceiveBufferSize(bytes);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return inner.getReceiveBufferSize();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        inner.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return inner.getKeepAlive();
    }

    @Override
    public void setTrafficClass(int value) throws SocketException {
        inner.setTrafficClass(value);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return inner.getTrafficClass();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        inner.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return inner.getReuseAddress();
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        inner.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        inner.shutdownOutput();
    }

    @Override
    public boolean isConnected() {
        return inner.isConnected();
    }

    @Override
    public boolean isBound() {
        return inner.isBound();
    }

    @Override
    public boolean isClosed() {
        return inner.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return inner.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return inner.isOutputShutdown();
    }

    @Override
    public String toString() {
        return inner.toString();
    }
}
