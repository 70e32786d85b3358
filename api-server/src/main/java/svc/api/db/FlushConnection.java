package svc.api.db;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.postgresql.jdbc.PgConnection;
import svc.api.db.wire.ClientMessages;
import svc.api.db.wire.Conversation;
import svc.api.db.wire.Wire;
import svc.api.db.wire.WireLoops;

/**
 * Sends several statements in one network write: Bind and Execute of each, one Sync; from the second use of a statement on,
 * without Parse. Nobody waits for the answer.
 */
final class FlushConnection implements PoolMember {
    private final JdbcConnection login;
    private final Wire wire;
    private final PreparedStatements prepared = new PreparedStatements();

    /** @param login logged in; only cancels are sent through it from now on */
    FlushConnection(PgConnection login, WireLoops loops) throws SQLException {
        this.login = new JdbcConnection(login);
        this.wire = loops.take(login, Login.RESULT_BYTES);
    }

    /**
     * Runs the statements. {@code result} knows afterwards how far they came, after a failure as well.
     *
     * @return in what state the session is then, see {@link Conversation#ready}; fails with {@link SqlError}
     */
    CompletableFuture<Character> send(List<FlushStatement> statements, FlushResult result) {
        return send(statements, result, true);
    }

    /** The same, but with no statement prepared before or after. */
    CompletableFuture<Character> sendUnprepared(List<FlushStatement> statements, FlushResult result) {
        return send(statements, result, false);
    }

    private CompletableFuture<Character> send(List<FlushStatement> statements, FlushResult result, boolean keeping) {
        ByteBuf written = PooledByteBufAllocator.DEFAULT.directBuffer(2048);
        var answer = new Answer(result);
        try {
            var out = new ClientMessages(written);
            prepared.surplus().forEach(out::forget);
            for (FlushStatement statement : statements) {
                out.run(
                        keeping
                                ? named(statement.text().sql(), out)
                                : nameless(statement.text().sql(), out),
                        values(statement));
            }
            out.sync();
        } catch (RuntimeException e) {
            written.release();
            prepared.settle();
            return CompletableFuture.failedFuture(e);
        }
        wire.exchange(written, answer);
        return answer.end;
    }

    private String named(String text, ClientMessages out) {
        String known = prepared.name(text);
        if (known != null) {
            return known;
        }
        String name = prepared.ask(text);
        out.parse(name, PreparedStatements.numbered(text));
        return name;
    }

    private static String nameless(String text, ClientMessages out) {
        out.parse("", PreparedStatements.numbered(text));
        return "";
    }

    private static List<String> values(FlushStatement statement) {
        if (statement.values().size() > ClientMessages.MOST_VALUES) {
            throw SqlError.of(new SQLException("a statement with too many values", SqlError.TOO_LARGE));
        }
        return statement.values();
    }

    /** Whether the session is open and nothing of a tenant's is known to be left in it. */
    boolean clean() {
        return wire.clean();
    }

    @Override
    public void cancel() throws SQLException {
        login.cancel();
    }

    @Override
    public void close() {
        wire.close();
    }

    @Override
    public void abort() {
        wire.abort();
    }

    private final class Answer implements Conversation {
        private final FlushResult result;
        private final CompletableFuture<Character> end = new CompletableFuture<>();
        private SQLException refused;

        Answer(FlushResult result) {
            this.result = result;
        }

        @Override
        public void message(char type, ByteBuf content) {
            switch (type) {
                case '1' -> prepared.confirmed();
                case 'D' -> result.row(content);
                case 'C' -> result.completed(content);
                case 'I' -> result.completed();
                case 'E' -> refused = refused == null ? Wire.error(content) : refused;
                default -> {
                    // Confirmations of Bind and Close, descriptions.
                }
            }
        }

        @Override
        public void ready(char transaction) {
            prepared.settle();
            if (refused == null) {
                end.complete(transaction);
            } else {
                end.completeExceptionally(SqlError.of(refused));
            }
        }

        @Override
        public void unsent(SQLException why) {
            result.unsent();
            broken(why);
        }

        @Override
        public void broken(SQLException why) {
            end.completeExceptionally(SqlError.of(refused == null ? why : refused));
        }
    }
}
