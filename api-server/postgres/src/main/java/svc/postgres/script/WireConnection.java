package svc.postgres.script;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.postgresql.PGProperty;
import org.postgresql.core.SocketFactoryFactory;
import org.postgresql.jdbc.SslMode;
import org.postgresql.ssl.PGjdbcHostnameVerifier;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import svc.database.network.ServerNetworks;
import svc.postgres.wire.ClientMessages;
import svc.postgres.wire.ErrorFields;
import svc.postgres.wire.ServerMessages;

/** A blocking connection that exchanges messages with a server, with TLS where the address asks for it. */
final class WireConnection implements AutoCloseable {
    /** Kept of one text of an error. */
    static final int MAX_TEXT_BYTES = 8192;

    /**
     * A longer ParameterStatus is skipped: the parameters that matter here have short values, others a script chooses.
     */
    private static final int MAX_PARAMETER_BYTES = 1024;

    /** No message that is read as a whole is larger, unless its server is not PostgreSQL. */
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private static final int CHUNK_BYTES = 1 << 16;

    private final Socket socket;
    private final ByteBuf in = Unpooled.buffer(CHUNK_BYTES, CHUNK_BYTES);
    private final ServerMessages messages = new ServerMessages(this::content, this::received);
    private IntPredicate rowFits = length -> true;
    private IntFunction<ServerMessages.Content> copied = length -> ServerMessages.Content.SKIPPED;
    private ErrorFields error = new ErrorFields(MAX_TEXT_BYTES);
    private Message received = new Message('\0', Unpooled.EMPTY_BUFFER);

    private WireConnection(Socket socket) {
        this.socket = socket;
    }

    /**
     * A message of the server.
     *
     * @param content valid until the next message is read; empty for what is skipped: a row that does not fit, an error,
     *     whose fields are read by {@link #error()}, and everything that no code here reads
     */
    record Message(char type, ByteBuf content) {}

    /** Connects, with TLS as the address says: required, or used when the server offers it. */
    static WireConnection open(ServerAddress address, Duration timeout) throws IOException {
        Socket plain = connect(address, timeout);
        try {
            if (address.sslMode() == SslMode.DISABLE || address.sslMode() == SslMode.ALLOW) {
                return new WireConnection(plain);
            }
            send(plain, ClientMessages::sslRequest);
            // One byte and no more: the next ones belong to the handshake.
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
            var server = new InetSocketAddress(address.host(), address.port());
            String networks = PGProperty.SOCKET_FACTORY_ARG.getOrDefault(address.properties());
            if (networks != null) {
                ServerNetworks.parse(networks).check(server);
            }
            socket.connect(server, (int) timeout.toMillis());
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

    /** Sets how long one read waits for the server. */
    void readTimeout(Duration timeout) throws IOException {
        socket.setSoTimeout((int) timeout.toMillis());
    }

    /** Sends messages in one write. */
    void send(Consumer<ClientMessages> messages) throws IOException {
        send(socket, messages);
    }

    private static void send(Socket socket, Consumer<ClientMessages> messages) throws IOException {
        ByteBuf out = Unpooled.buffer();
        messages.accept(new ClientMessages(out));
        out.readBytes(socket.getOutputStream(), out.readableBytes());
        socket.getOutputStream().flush();
    }

    /** Waits for the next message. */
    Message next() throws IOException {
        return next(length -> true, length -> ServerMessages.Content.SKIPPED);
    }

    /**
     * Waits for the next message.
     *
     * @param fits whether a row of this many bytes is wanted; any other is skipped as it arrives
     * @param copies what becomes of a message of a COPY of this many bytes
     */
    Message next(IntPredicate fits, IntFunction<ServerMessages.Content> copies) throws IOException {
        rowFits = fits;
        copied = copies;
        try {
            while (!messages.next(in)) {
                in.clear();
                if (in.writeBytes(socket.getInputStream(), CHUNK_BYTES) < 0) {
                    throw new EOFException("the server closed the connection");
                }
            }
            return received;
        } catch (SQLException e) {
            throw new IOException("while reading a message of the server", e);
        }
    }

    /** The fields of the last error. */
    Map<Character, String> error() {
        return error.fields();
    }

    private void received(char type, ByteBuf content) {
        received = new Message(type, content);
    }

    private ServerMessages.Content content(char type, int length) throws SQLException {
        return switch (type) {
            case 'E' -> {
                error = new ErrorFields(MAX_TEXT_BYTES);
                yield error;
            }
            case 'D' -> rowFits.test(length) ? ServerMessages.Content.WHOLE : ServerMessages.Content.SKIPPED;
            case 'S' -> length <= MAX_PARAMETER_BYTES ? ServerMessages.Content.WHOLE : ServerMessages.Content.SKIPPED;
            case 'd' -> copied.apply(length);
            case 'R', 'K', 'Z', 'T', 't', 'C', 'G', 'H' -> whole(length);
            // Notices among them: a tenant can raise as many as it likes.
            default -> ServerMessages.Content.SKIPPED;
        };
    }

    private static ServerMessages.Content whole(int length) throws SQLException {
        if (length > MAX_MESSAGE_BYTES) {
            throw new PSQLException("the server announced " + length + " bytes", PSQLState.CONNECTION_FAILURE);
        }
        return ServerMessages.Content.WHOLE;
    }

    /** Closes the connection at once, whatever either side is doing. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is gone, which is what was wanted.
            return;
        }
    }
}
