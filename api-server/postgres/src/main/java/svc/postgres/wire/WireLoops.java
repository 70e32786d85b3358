package svc.postgres.wire;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.sql.SQLException;
import javax.net.ssl.SSLSocket;
import org.postgresql.core.PGStream;
import org.postgresql.core.QueryExecutorBase;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** The event loops that sessions are driven by; closed, it ends those that it made itself. */
public final class WireLoops implements AutoCloseable {
    private static final String STREAM = "pgStream";

    private final EventLoopGroup loops;
    private final boolean own;

    private WireLoops(EventLoopGroup loops, boolean own) {
        this.loops = loops;
        this.own = own;
    }

    /** Those of the HTTP server, if they can drive a socket of Java's own. */
    public static WireLoops shared(EventLoopGroup loops) {
        return loops instanceof NioEventLoopGroup ? new WireLoops(loops, false) : ofItsOwn();
    }

    /** One loop more, for a process, or a test, that shares none. */
    public static WireLoops ofItsOwn() {
        return new WireLoops(new NioEventLoopGroup(1, new DefaultThreadFactory("svc-db-loop", true)), true);
    }

    /**
     * Takes over a session on which the driver has logged in and nothing else; the driver must not be used for anything but
     * a cancel from now on. May block.
     *
     * @param maxAnswerBytes of one answer; more ends the session
     * @throws SQLException of class 08 when it broke meanwhile
     */
    public Wire take(PgConnection connection, long maxAnswerBytes) throws SQLException {
        PGStream stream = stream(connection);
        try {
            if (stream.hasMessagePending()) {
                throw new PSQLException("the server has more to say", PSQLState.CONNECTION_FAILURE);
            }
            Socket socket = stream.getSocket();
            return socket instanceof SSLSocket
                    ? new ThreadWire(socket, maxAnswerBytes)
                    : new LoopWire(socket.getChannel(), loops.next(), maxAnswerBytes);
        } catch (IOException e) {
            throw new PSQLException("the connection broke after the login", PSQLState.CONNECTION_FAILURE, e);
        }
    }

    @Override
    public void close() {
        if (own) {
            var unused = loops.shutdownGracefully();
        }
    }

    /** The driver keeps its socket to itself. */
    private static PGStream stream(PgConnection connection) {
        try {
            Field stream = QueryExecutorBase.class.getDeclaredField(STREAM);
            stream.setAccessible(true);
            return (PGStream) stream.get(connection.getQueryExecutor());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("a session cannot be taken over from this driver", e);
        }
    }
}
