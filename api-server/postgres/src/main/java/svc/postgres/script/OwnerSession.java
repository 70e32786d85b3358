package svc.postgres.script;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A session as one login; used by one thread, while {@link #cancel} and {@link #close} may come from another. */
final class OwnerSession implements AutoCloseable {
    private static final int PROTOCOL = 3 << 16;
    private static final int CANCEL_REQUEST = 80877102;
    private static final int NULL = -1;

    private final ServerAddress address;
    private final WireConnection wire;
    private final SessionSettings settings = new SessionSettings();
    private int backend;
    private int cancelKey;

    private OwnerSession(ServerAddress address, WireConnection wire) {
        this.address = address;
        this.wire = wire;
    }

    /** What a message to the server came to. */
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
    record Description(List<Integer> parameterTypes, Optional<byte[]> columns, Optional<ServerError> error) {}

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
        List<String> parts = new ArrayList<>(List.of("user", user, "database", address.database()));
        SessionSettings.startingValues(settings).forEach((name, value) -> parts.addAll(List.of(name, value)));
        var content = new ByteArrayOutputStream();
        content.writeBytes(ByteBuffer.allocate(4).putInt(PROTOCOL).array());
        for (String part : parts) {
            content.writeBytes(part.getBytes(StandardCharsets.UTF_8));
            content.write(0);
        }
        content.write(0);
        wire.sendFirst(ByteBuffer.wrap(content.toByteArray()));
    }

    private void login(ServerLogin login) throws IOException {
        while (true) {
            WireConnection.Head head = wire.next();
            switch (head.type()) {
                case 'R' -> login.answer(ByteBuffer.wrap(wire.content(head)));
                case 'K' -> {
                    ByteBuffer content = ByteBuffer.wrap(wire.content(head));
                    backend = content.getInt();
                    cancelKey = content.getInt();
                }
                case 'S' -> wire.setting(head).ifPresent(settings::heed);
                case 'E' -> throw new LoginRefusedException(ServerError.of(wire.fields(head)));
                case 'Z' -> {
                    wire.skip(head);
                    return;
                }
                default -> wire.skip(head);
            }
        }
    }

    /** What the server has said of its settings. */
    SessionSettings settings() {
        return settings;
    }

    /** The server's process of this session. */
    int backend() {
        return backend;
    }

    /** Longest wait for the server to say anything. */
    void timeout(Duration longest) throws IOException {
        wire.timeout(longest);
    }

    /** Sends a text as one Query message and reads all that comes back for it. */
    Reply query(String sql, RowCollector rows) throws IOException {
        try {
            wire.sendQuery(sql);
        } catch (IOException e) {
            return lastWords(e);
        }
        return reply(rows);
    }

    /** Why the server has closed the connection before we sent something, if it said so. */
    private Reply lastWords(IOException broken) throws IOException {
        try {
            while (true) {
                WireConnection.Head head = wire.next();
                if (head.type() == 'E') {
                    return new Reply(Optional.of(ServerError.of(wire.fields(head))), 'E');
                }
                wire.skip(head);
            }
        } catch (IOException silent) {
            broken.addSuppressed(silent);
            throw broken;
        }
    }

    private Reply reply(RowCollector rows) throws IOException {
        Optional<ServerError> error = Optional.empty();
        while (true) {
            WireConnection.Head head = wire.next();
            switch (head.type()) {
                case 'T' -> rows.begin(wire.content(head));
                case 'D' -> {
                    if (rows.fits(head.length())) {
                        rows.add(wire.content(head));
                    } else {
                        wire.skip(head);
                    }
                }
                case 'C' -> rows.complete(text(wire.content(head)));
                case 'E' -> {
                    error = Optional.of(ServerError.of(wire.fields(head)));
                    if (error.get().fatal()) {
                        // Nothing follows but the end of the connection.
                        return new Reply(error, 'E');
                    }
                }
                case 'G' -> {
                    wire.skip(head);
                    wire.send('f', "no data comes with a script\0".getBytes(StandardCharsets.UTF_8));
                }
                case 'S' -> wire.setting(head).ifPresent(settings::heed);
                case 'Z' -> {
                    return new Reply(error, (char) wire.content(head)[0]);
                }
                // Notices are dropped as they come: a tenant can raise as many as it likes.
                default -> wire.skip(head);
            }
        }
    }

    /** Prepares a single statement and asks what it takes and returns. */
    Description describe(String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        wire.put(
                'P',
                ByteBuffer.allocate(text.length + 4).put((byte) 0).put(text).array());
        wire.put('D', new byte[] {'S', 0});
        wire.send('S', new byte[0]);
        List<Integer> types = new ArrayList<>();
        Optional<byte[]> columns = Optional.empty();
        Optional<ServerError> error = Optional.empty();
        while (true) {
            WireConnection.Head head = wire.next();
            switch (head.type()) {
                case 't' -> {
                    ByteBuffer content = ByteBuffer.wrap(wire.content(head));
                    int count = Short.toUnsignedInt(content.getShort());
                    for (int i = 0; i < count; i++) {
                        types.add(content.getInt());
                    }
                }
                case 'T' -> columns = Optional.of(wire.content(head));
                case 'E' -> {
                    error = Optional.of(ServerError.of(wire.fields(head)));
                    if (error.get().fatal()) {
                        return new Description(types, columns, error);
                    }
                }
                case 'S' -> wire.setting(head).ifPresent(settings::heed);
                case 'Z' -> {
                    wire.skip(head);
                    return new Description(types, columns, error);
                }
                default -> wire.skip(head);
            }
        }
    }

    /**
     * Runs a statement that was described. It is prepared again: a Query message in between drops the nameless statement,
     * and a name would stay visible in the session.
     */
    Reply execute(String sql, Description description, List<Optional<String>> values, RowCollector rows)
            throws IOException {
        description.columns().ifPresent(rows::begin);
        wire.put('P', parse(sql));
        wire.put('B', bind(values));
        wire.put('E', new byte[5]);
        wire.send('S', new byte[0]);
        return reply(rows);
    }

    /** Under no name, with all types left to the server. */
    private static byte[] parse(String sql) {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(text.length + 4).put((byte) 0).put(text).array();
    }

    private static byte[] bind(List<Optional<String>> values) throws IOException {
        var content = new ByteArrayOutputStream();
        var out = new DataOutputStream(content);
        // No name of a portal, none of a statement, no format: all values are text.
        out.write(new byte[4]);
        out.writeShort(values.size());
        for (Optional<String> value : values) {
            if (value.isEmpty()) {
                out.writeInt(NULL);
                continue;
            }
            byte[] text = value.get().getBytes(StandardCharsets.UTF_8);
            out.writeInt(text.length);
            out.write(text);
        }
        out.writeShort(0);
        return content.toByteArray();
    }

    /** Asks the server to stop what the session is doing; over a connection of its own, as the protocol has it. */
    void cancel(Duration timeout) throws IOException {
        try (var other = WireConnection.open(address, timeout)) {
            other.sendFirst(ByteBuffer.allocate(12)
                    .putInt(CANCEL_REQUEST)
                    .putInt(backend)
                    .putInt(cancelKey)
                    .flip());
        }
    }

    /** The server's word, without the NUL at its end. */
    private static String text(byte[] content) {
        return new String(content, 0, Math.max(0, content.length - 1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        wire.close();
    }
}
