package svc.api.db.owner;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A session as one login; used by one thread, while {@link #cancel} and {@link #close} may come from another. */
final class OwnerSession implements AutoCloseable {
    private static final int PROTOCOL = 3 << 16;
    private static final int CANCEL_REQUEST = 80877102;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final ServerAddress address;
    private final WireConnection wire;
    private int backend;
    private int cancelKey;

    private OwnerSession(ServerAddress address, WireConnection wire) {
        this.address = address;
        this.wire = wire;
    }

    /** What a message to the server came to. */
    record Reply(List<String> commands, Optional<ServerError> error, char transaction) {
        /** Whether a transaction is open and sound. */
        boolean inTransaction() {
            return transaction == 'T';
        }
    }

    /** The server refuses the login itself: a wrong password, too many connections. */
    static final class LoginRefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        LoginRefusedException(ServerError error) {
            super(error.sqlState() + ": " + error.message());
        }
    }

    static OwnerSession open(ServerAddress address, String user, String password, Duration patience)
            throws IOException {
        WireConnection wire = WireConnection.open(address, patience);
        try {
            var session = new OwnerSession(address, wire);
            session.start(user);
            session.login(new ScramLogin(password));
            return session;
        } catch (IOException | RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    private void start(String user) throws IOException {
        var content = new ByteArrayOutputStream();
        content.writeBytes(ByteBuffer.allocate(4).putInt(PROTOCOL).array());
        for (String part : List.of(
                "user",
                user,
                "database",
                address.database(),
                "client_encoding",
                "UTF8",
                "application_name",
                "svc-sql",
                "DateStyle",
                "ISO",
                "bytea_output",
                "hex")) {
            content.writeBytes(part.getBytes(StandardCharsets.UTF_8));
            content.write(0);
        }
        content.write(0);
        wire.sendFirst(ByteBuffer.wrap(content.toByteArray()));
    }

    /** Insists on SCRAM: a server that asks for less gets nothing, neither the password nor the script. */
    private void login(ScramLogin scram) throws IOException {
        boolean proven = false;
        while (true) {
            WireConnection.Head head = wire.next();
            byte[] content = wire.content(head);
            switch (head.type()) {
                case 'R' -> proven = authenticate(scram, ByteBuffer.wrap(content), proven);
                case 'K' -> {
                    backend = ByteBuffer.wrap(content).getInt();
                    cancelKey = ByteBuffer.wrap(content).getInt(4);
                }
                case 'E' -> throw new LoginRefusedException(ServerError.of(content));
                case 'Z' -> {
                    return;
                }
                default -> {}
            }
        }
    }

    private boolean authenticate(ScramLogin scram, ByteBuffer content, boolean proven) throws IOException {
        int request = content.getInt();
        String text = StandardCharsets.UTF_8.decode(content).toString();
        switch (request) {
            case SASL -> {
                if (!List.of(text.split("\0")).contains(ScramLogin.MECHANISM)) {
                    throw new IOException("the server does not offer " + ScramLogin.MECHANISM);
                }
                byte[] first = scram.first().getBytes(StandardCharsets.UTF_8);
                byte[] mechanism = (ScramLogin.MECHANISM + "\0").getBytes(StandardCharsets.UTF_8);
                wire.send(
                        'p',
                        ByteBuffer.allocate(mechanism.length + 4 + first.length)
                                .put(mechanism)
                                .putInt(first.length)
                                .put(first)
                                .array());
                return false;
            }
            case SASL_CONTINUE -> {
                wire.send('p', scram.answer(text).getBytes(StandardCharsets.UTF_8));
                return false;
            }
            case SASL_FINAL -> {
                scram.verify(text);
                return true;
            }
            case 0 -> {
                if (!proven) {
                    throw new IOException("the server let the login in without a password");
                }
                return true;
            }
            default -> throw new IOException("the server asks for a password in a way that is not safe");
        }
    }

    /** Longest wait for the server to say anything. */
    void patience(Duration longest) throws IOException {
        wire.patience(longest);
    }

    /** Sends a text as one Query message and reads all that comes back for it. */
    Reply query(String sql, RowCollector rows) throws IOException {
        wire.sendQuery(sql);
        List<String> commands = new ArrayList<>();
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
                case 'C' -> commands.add(text(wire.content(head)));
                case 'E' -> error = Optional.of(ServerError.of(wire.content(head)));
                case 'G' -> {
                    wire.skip(head);
                    wire.send('f', "no data comes with a script\0".getBytes(StandardCharsets.UTF_8));
                }
                case 'Z' -> {
                    return new Reply(commands, error, (char) wire.content(head)[0]);
                }
                // Notices are dropped as they come: a tenant can raise as many as it likes.
                default -> wire.skip(head);
            }
        }
    }

    /** Asks the server to stop what the session is doing; over a connection of its own, as the protocol has it. */
    void cancel(Duration patience) throws IOException {
        try (var other = WireConnection.open(address, patience)) {
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
