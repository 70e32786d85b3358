package svc.postgres.script;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.postgres.wire.ClientMessages.BoundBytes;
import svc.postgres.wire.ParameterStatus;

/** A session as one login; used by one thread, while {@link #cancel} and {@link #close} may come from another. */
final class OwnerSession implements AutoCloseable {
    /** The unnamed prepared statement. */
    private static final String UNNAMED = "";

    private final ServerAddress address;
    private final WireConnection wire;
    private final SessionSettings settings = new SessionSettings();
    private volatile Optional<CopyExchange> copy = Optional.empty();
    private int backend;
    private int cancelKey;

    private OwnerSession(ServerAddress address, WireConnection wire) {
        this.address = address;
        this.wire = wire;
    }

    /** The server's answer to a message. */
    record Reply(Optional<ServerError> error, char transaction) {
        /** Whether a transaction is open and sound. */
        boolean inTransaction() {
            return transaction == 'T';
        }

        /** Whether no transaction is open. */
        boolean idle() {
            return transaction == 'I';
        }
    }

    /** What the server says of a statement before it runs it: types of its parameters, columns of its rows. */
    record Description(
            List<Integer> parameterTypes, Optional<List<ResultRows.Column>> columns, Optional<ServerError> error) {}

    /** The server refuses the login itself: a wrong password, too many connections. */
    static final class LoginRefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final String sqlState;

        LoginRefusedException(ServerError error) {
            super(error.sqlState() + ": " + error.message());
            this.sqlState = error.sqlState();
        }

        /** Whether the role, or the server, has all the connections that it may have. */
        boolean tooMany() {
            return "53300".equals(sqlState);
        }

        /** Whether the server is well and this login alone is refused: its password, or a setting that it has. */
        boolean ofTheRole() {
            return !sqlState.startsWith("57P") && !sqlState.startsWith("53") && !sqlState.startsWith("XX");
        }
    }

    /** @param settings starting values of the session's parameters */
    static OwnerSession open(
            ServerAddress address, String user, String password, Duration timeout, Map<String, String> settings)
            throws IOException {
        WireConnection wire = WireConnection.open(address, timeout);
        try {
            var session = new OwnerSession(address, wire);
            session.start(user, settings);
            session.login(new ServerLogin(wire, password));
            return session;
        } catch (IOException | RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    private void start(String user, Map<String, String> settings) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        parameters.put("database", address.database());
        parameters.putAll(SessionSettings.startingValues(settings));
        wire.send(out -> out.startup(parameters));
    }

    private void login(ServerLogin login) throws IOException {
        while (true) {
            WireConnection.Message message = wire.next();
            switch (message.type()) {
                case 'R' -> login.answer(message.content());
                case 'K' -> {
                    backend = message.content().readInt();
                    cancelKey = message.content().readInt();
                }
                case 'S' -> report(message.content());
                case 'E' -> throw new LoginRefusedException(ServerError.of(wire.error()));
                case 'Z' -> {
                    return;
                }
                default -> {}
            }
        }
    }

    private void report(ByteBuf content) {
        ParameterStatus.read(content).ifPresent(settings::reported);
    }

    /** What the server has said of its settings. */
    SessionSettings settings() {
        return settings;
    }

    /** The server's process of this session. */
    int backend() {
        return backend;
    }

    /** Sets how long one read waits for the server. */
    void readTimeout(Duration timeout) throws IOException {
        wire.readTimeout(timeout);
    }

    /** Sends a text as one Query message and reads all that comes back for it. */
    Reply query(String sql, RowCollector rows) throws IOException {
        return query(sql, rows, Optional.empty());
    }

    /**
     * The same for a text that may copy.
     *
     * @param caller the other end of the COPY; without one it is refused
     */
    Reply query(String sql, RowCollector rows, Optional<CopyPeer> caller) throws IOException {
        try {
            wire.send(out -> out.query(sql));
        } catch (IOException e) {
            return pendingError(e);
        }
        return reply(rows, caller);
    }

    /** The error that the server sent before it closed the connection on us, if there is one. */
    private Reply pendingError(IOException broken) throws IOException {
        try {
            while (true) {
                if (wire.next().type() == 'E') {
                    return new Reply(Optional.of(ServerError.of(wire.error())), 'E');
                }
            }
        } catch (IOException silent) {
            broken.addSuppressed(silent);
            throw broken;
        }
    }

    private Reply reply(RowCollector rows, Optional<CopyPeer> caller) throws IOException {
        try (var exchange = new CopyExchange(caller, wire)) {
            copy = Optional.of(exchange);
            return closedWhenLost(rows, exchange);
        } finally {
            copy = Optional.empty();
        }
    }

    /** Before the exchange waits for its thread, which may write to a server that is lost. */
    private Reply closedWhenLost(RowCollector rows, CopyExchange exchange) throws IOException {
        try {
            return reply(rows, exchange);
        } catch (IOException e) {
            wire.close();
            throw e;
        }
    }

    private Reply reply(RowCollector rows, CopyExchange exchange) throws IOException {
        Optional<ServerError> error = Optional.empty();
        while (true) {
            WireConnection.Message message = wire.next(rows::fits, exchange::content);
            switch (message.type()) {
                case 'T' -> rows.begin(message.content());
                case 'D' -> {
                    // A row has a number of columns at least; one that does not fit was skipped.
                    if (message.content().isReadable()) {
                        rows.add(message.content());
                    }
                }
                case 'C' -> rows.complete(text(message.content()));
                case 'E' -> {
                    error = Optional.of(ServerError.of(wire.error()));
                    exchange.close();
                    if (error.get().fatal()) {
                        // Nothing follows but the end of the connection.
                        return new Reply(error, 'E');
                    }
                }
                case 'G' -> exchange.in(message.content());
                case 'H' -> exchange.out(message.content());
                case 'c' -> exchange.done();
                case 'S' -> report(message.content());
                case 'Z' -> {
                    return new Reply(error, (char) message.content().readUnsignedByte());
                }
                default -> {}
            }
        }
    }

    /**
     * Prepares a single statement and asks what it takes and returns.
     *
     * @param types of its first parameters; 0 for one that the server infers
     */
    Description describe(String sql, List<Integer> types) throws IOException {
        wire.send(out -> {
            out.parse(UNNAMED, sql, types);
            out.describeStatement(UNNAMED);
            out.sync();
        });
        List<Integer> taken = new ArrayList<>();
        Optional<List<ResultRows.Column>> columns = Optional.empty();
        Optional<ServerError> error = Optional.empty();
        while (true) {
            WireConnection.Message message = wire.next();
            switch (message.type()) {
                case 't' -> {
                    int count = message.content().readUnsignedShort();
                    for (int i = 0; i < count; i++) {
                        taken.add(message.content().readInt());
                    }
                }
                case 'T' -> columns = Optional.of(RowCollector.columns(message.content()));
                case 'E' -> {
                    error = Optional.of(ServerError.of(wire.error()));
                    if (error.get().fatal()) {
                        return new Description(taken, columns, error);
                    }
                }
                case 'S' -> report(message.content());
                case 'Z' -> {
                    return new Description(taken, columns, error);
                }
                default -> {}
            }
        }
    }

    /**
     * Runs a statement that was described. It is prepared again: a Query message in between drops the unnamed statement,
     * and a name would stay visible in the session.
     */
    Reply execute(ScriptRun run, Description description, List<BoundBytes> values, RowCollector rows)
            throws IOException {
        description.columns().ifPresent(columns -> rows.begin(columns, run.formats()));
        wire.send(out -> {
            out.parse(UNNAMED, run.sql(), description.parameterTypes());
            out.bindAndExecute(UNNAMED, values, run.formats());
            out.sync();
        });
        return reply(rows, Optional.empty());
    }

    /** Asks the server to stop what the session is doing; over a connection of its own, as the protocol has it. */
    void cancel(Duration timeout) throws IOException {
        copy.ifPresent(CopyExchange::cancel);
        try (var other = WireConnection.open(address, timeout)) {
            other.send(out -> out.cancelRequest(backend, cancelKey));
        }
    }

    /** Without the NUL at its end. */
    private static String text(ByteBuf content) {
        return content.toString(
                content.readerIndex(), Math.max(0, content.readableBytes() - 1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        wire.close();
    }
}
