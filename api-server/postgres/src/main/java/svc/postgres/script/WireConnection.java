package svc.postgres.script;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.postgresql.core.SocketFactoryFactory;
import org.postgresql.jdbc.SslMode;
import org.postgresql.ssl.PGjdbcHostnameVerifier;
import org.postgresql.util.PSQLException;

/** A socket that carries messages of PostgreSQL's protocol 3.0, with TLS where the address asks for it. */
final class WireConnection implements AutoCloseable {
    private static final int SSL_REQUEST = 80877103;
    private static final int LENGTH_BYTES = 4;

    /** Most bytes that are kept of one text of an error. */
    static final int MAX_TEXT_BYTES = 8192;

    /** Longest ParameterStatus that is looked at. */
    private static final int MAX_SETTING_BYTES = 1024;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private WireConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    }

    /** A setting as the server reports it. */
    record Setting(String name, String value) {}

    /** The head of a message; its content is to be read or skipped before the next. */
    record Head(char type, int length) {}

    /** Connects, with TLS as the address says: required, or tried and done without. */
    static WireConnection open(ServerAddress address, Duration timeout) throws IOException {
        Socket plain = connect(address, timeout);
        try {
            if (address.sslMode() == SslMode.DISABLE || address.sslMode() == SslMode.ALLOW) {
                return new WireConnection(plain);
            }
            var request = new DataOutputStream(plain.getOutputStream());
            request.writeInt(8);
            request.writeInt(SSL_REQUEST);
            request.flush();
            // Read from the socket itself: a buffer might swallow what belongs to the handshake.
            if (plain.getInputStream().read() == 'S') {
                return new WireConnection(secure(plain, address));
            }
            if (address.sslMode().requireEncryption()) {
                throw new IOException("the server does not offer TLS, which its address requires");
            }
            return new WireConnection(plain);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket connect(ServerAddress address, Duration timeout) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(new InetSocketAddress(address.host(), address.port()), (int) timeout.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket secure(Socket plain, ServerAddress address) throws IOException {
        try {
            SSLSocketFactory factory = SocketFactoryFactory.getSslSocketFactory(address.properties());
            var secure = (SSLSocket) factory.createSocket(plain, address.host(), address.port(), true);
            secure.startHandshake();
            if (address.sslMode() == SslMode.VERIFY_FULL
                    && !PGjdbcHostnameVerifier.INSTANCE.verify(address.host(), secure.getSession())) {
                throw new IOException("the server's certificate is not for " + address.host());
            }
            return secure;
        } catch (PSQLException e) {
            throw new IOException("while starting TLS", e);
        }
    }

    /** Longest wait for the next byte. */
    void timeout(Duration longest) throws IOException {
        socket.setSoTimeout((int) longest.toMillis());
    }

    /** Sends a message without a type: the first of a connection. */
    void sendFirst(ByteBuffer content) throws IOException {
        out.writeInt(LENGTH_BYTES + content.remaining());
        out.write(content.array(), content.arrayOffset() + content.position(), content.remaining());
        out.flush();
    }

    void send(char type, byte[] content) throws IOException {
        put(type, content);
        out.flush();
    }

    /** Like {@link #send}, but leaves the message in the buffer until the next that is sent. */
    void put(char type, byte[] content) throws IOException {
        out.writeByte(type);
        out.writeInt(LENGTH_BYTES + content.length);
        out.write(content);
    }

    /** A Query message; the text must not contain NUL, which would end it. */
    void sendQuery(String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        byte[] content = new byte[text.length + 1];
        System.arraycopy(text, 0, content, 0, text.length);
        send('Q', content);
    }

    Head next() throws IOException {
        char type = (char) in.readUnsignedByte();
        int length = in.readInt() - LENGTH_BYTES;
        if (length < 0) {
            throw new IOException("a message of negative length");
        }
        return new Head(type, length);
    }

    byte[] content(Head head) throws IOException {
        byte[] content = in.readNBytes(head.length());
        if (content.length < head.length()) {
            throw new IOException("the connection ended inside a message");
        }
        return content;
    }

    /**
     * What the server says of one of its settings: name and value. Some values are as long as a script likes, and those
     * that matter here are short: what is long is skipped.
     */
    Optional<Setting> setting(Head head) throws IOException {
        if (head.length() > MAX_SETTING_BYTES) {
            skip(head);
            return Optional.empty();
        }
        String[] parts = new String(content(head), StandardCharsets.UTF_8).split("\0", -1);
        return parts.length < 2 ? Optional.empty() : Optional.of(new Setting(parts[0], parts[1]));
    }

    /** The fields of an error, each a letter and a text; as much of each text as is worth keeping. */
    Map<Character, String> fields(Head head) throws IOException {
        Map<Character, String> fields = new HashMap<>();
        int left = head.length();
        while (left > 0) {
            int key = in.readUnsignedByte();
            left--;
            if (key == 0) {
                break;
            }
            var text = new ByteArrayOutputStream();
            for (int b = in.readUnsignedByte(); ; b = in.readUnsignedByte()) {
                left--;
                if (b == 0 || left <= 0) {
                    break;
                }
                if (text.size() < MAX_TEXT_BYTES) {
                    text.write(b);
                }
            }
            fields.put((char) key, text.toString(StandardCharsets.UTF_8));
        }
        in.skipNBytes(left);
        return fields;
    }

    void skip(Head head) throws IOException {
        in.skipNBytes(head.length());
    }

    /** Cuts the connection, whatever either side is doing. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is left to do for a socket that is gone.
            return;
        }
    }
}
