package svc.postgres.wire;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import org.postgresql.core.PGStream;
import org.postgresql.core.QueryExecutorBase;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.DriverInfo;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import svc.platform.loop.LoopWatch;
import svc.platform.loop.WatchedLoop;
import svc.platform.memory.ByteBudget;

/** The event loops that drive sessions. Closing ends only loops that were started here. */
public final class WireLoops implements AutoCloseable {
    /** The private field of the driver's {@link QueryExecutorBase} with the session's stream; see DriverContractTest. */
    static final String STREAM = "pgStream";

    /** What a session's loop does, in the log. */
    private static final String ANSWER = "an answer of the database";

    private final EventLoopGroup loops;
    private final boolean own;
    private final Function<EventExecutor, WatchedLoop> watch;
    private final Supplier<String> what;

    private WireLoops(
            EventLoopGroup loops, boolean own, Function<EventExecutor, WatchedLoop> watch, Supplier<String> what) {
        this.loops = loops;
        this.own = own;
        this.watch = watch;
        this.what = what;
    }

    /** The HTTP server's loops, if they can drive a socket of Java's own; otherwise a dedicated one. */
    public static WireLoops shared(EventLoopGroup loops, LoopWatch watch) {
        return loops instanceof NioEventLoopGroup
                ? new WireLoops(loops, false, watch::of, () -> ANSWER)
                : dedicated(watch::of);
    }

    /** One loop of its own, for a process or a test without an HTTP server. */
    public static WireLoops dedicated() {
        return dedicated(WatchedLoop::unwatched);
    }

    private static WireLoops dedicated(Function<EventExecutor, WatchedLoop> watch) {
        var loop = new NioEventLoopGroup(1, new DefaultThreadFactory("svc-db-loop", true));
        return new WireLoops(loop, true, watch, () -> ANSWER);
    }

    /** The same loops, whose slow tasks are reported as this project's; closed together with these. */
    public WireLoops ofProject(String ref) {
        return new WireLoops(loops, false, watch, () -> ANSWER + " of project " + ref);
    }

    /**
     * Takes over a session that the driver has opened and not used; from now on the driver may only cancel. May block.
     *
     * @param maxAnswerBytes of one answer; more ends the session
     * @param memory of the project whose session it is
     * @throws SQLException of class 08 when it broke meanwhile
     */
    public Wire take(PgConnection connection, long maxAnswerBytes, ByteBudget.Account memory) throws SQLException {
        PGStream stream = stream(connection);
        try {
            if (stream.hasMessagePending()) {
                throw new PSQLException("the server sent more than the driver read", PSQLState.CONNECTION_FAILURE);
            }
            Socket socket = stream.getSocket();
            return socket instanceof SSLSocket
                    ? new ThreadWire(socket, maxAnswerBytes, memory)
                    : new LoopWire(socket.getChannel(), watched(loops.next()), maxAnswerBytes, memory);
        } catch (IOException e) {
            throw new PSQLException("the connection broke after the login", PSQLState.CONNECTION_FAILURE, e);
        }
    }

    private LoopWire.Loop watched(EventLoop loop) {
        return new LoopWire.Loop(loop, watch.apply(loop), what);
    }

    @Override
    public void close() {
        if (own) {
            var unused = loops.shutdownGracefully();
        }
    }

    /** The driver has no public way to its socket. */
    static PGStream stream(PgConnection connection) {
        try {
            Field stream = QueryExecutorBase.class.getDeclaredField(STREAM);
            stream.setAccessible(true);
            return (PGStream) stream.get(connection.getQueryExecutor());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "pgjdbc " + DriverInfo.DRIVER_VERSION + " does not have its stream in QueryExecutorBase." + STREAM,
                    e);
        }
    }
}
