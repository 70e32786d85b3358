package svc.postgres.flush;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import svc.platform.memory.ByteBudget;
import svc.postgres.Login;
import svc.postgres.SqlError;
import svc.postgres.jdbc.JdbcConnection;
import svc.postgres.pool.PoolMember;
import svc.postgres.wire.ClientMessages;
import svc.postgres.wire.Conversation;
import svc.postgres.wire.Wire;
import svc.postgres.wire.WireLoops;

/**
 * Sends several statements in one network write: Bind and Execute of each, one Sync; from the second use of a statement
 * on, without Parse. No thread waits for the answer.
 */
final class FlushConnection implements PoolMember {
    private final JdbcConnection login;
    private final Wire wire;
    private final boolean flushesLog;
    private final Supplier<CompletableFuture<Void>> ender;
    private final AtomicReference<CompletableFuture<Void>> ending = new AtomicReference<>();
    private final PreparedStatements prepared = new PreparedStatements();

    /**
     * @param login logged in; only cancels are sent through it from now on
     * @param flushesLog whether the database has what {@link WalFlush} needs
     * @param ender has the server end the session
     * @param memory of the project, for its answers
     */
    FlushConnection(
            PgConnection login,
            boolean flushesLog,
            Supplier<CompletableFuture<Void>> ender,
            WireLoops loops,
            ByteBudget.Account memory)
            throws SQLException {
        this.ender = ender;
        this.login = new JdbcConnection(login);
        this.flushesLog = flushesLog;
        this.wire = loops.take(login, Login.RESULT_BYTES, memory);
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
        var end = new CompletableFuture<Character>();
        try {
            exchange(List.of(statements), keeping, new OneRound(result, end));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return end;
    }

    /**
     * Runs statements in rounds: what fails in one does not touch the next.
     *
     * @throws SqlError when nothing was sent, for what cannot be
     */
    void pipeline(List<List<FlushStatement>> rounds, Rounds answers) {
        exchange(rounds, true, answers);
    }

    private void exchange(List<List<FlushStatement>> rounds, boolean keeping, Rounds answers) {
        ByteBuf written = PooledByteBufAllocator.DEFAULT.directBuffer(2048 * rounds.size());
        List<List<Sent>> sent = new ArrayList<>(rounds.size());
        try {
            var out = new ClientMessages(written);
            prepared.evict().forEach(out::closeStatement);
            for (List<FlushStatement> round : rounds) {
                prepared.beginRound();
                List<Sent> ofRound = new ArrayList<>(round.size());
                for (FlushStatement statement : round) {
                    String text = statement.text().sql();
                    ofRound.add(new Sent(text, keeping && prepared.name(text).isPresent()));
                    out.bindAndExecute(keeping ? named(text, out) : unnamed(text, out), values(statement));
                }
                sent.add(ofRound);
                out.sync();
            }
        } catch (RuntimeException e) {
            written.release();
            prepared.discardRequests();
            throw e;
        }
        wire.exchange(written, rounds.size(), new Answers(answers, sent));
    }

    /** @param prepared whether it had been prepared in an earlier write */
    private record Sent(String text, boolean prepared) {}

    private String named(String text, ClientMessages out) {
        if (!PreparedStatements.keeps(text)) {
            return unnamed(text, out);
        }
        return prepared.name(text).orElseGet(() -> prepare(text, out));
    }

    private String prepare(String text, ClientMessages out) {
        if (prepared.isRequested(text)) {
            // In an earlier round of this write, which may fail before it gets there.
            return unnamed(text, out);
        }
        String name = prepared.request(text);
        out.parse(name, PreparedStatements.numbered(text));
        return name;
    }

    private static String unnamed(String text, ClientMessages out) {
        out.parse("", PreparedStatements.numbered(text));
        return "";
    }

    private static List<String> values(FlushStatement statement) {
        if (statement.values().size() > ClientMessages.MAX_VALUES) {
            throw SqlError.of(new SQLException("a statement with too many values", SqlError.TOO_LARGE));
        }
        return statement.values();
    }

    /** Whether the database has what {@link WalFlush} needs. */
    boolean flushesLog() {
        return flushesLog;
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
    public CompletionStage<Void> abort() {
        boolean ended = wire.endedByServer();
        wire.abort();
        var gone = new CompletableFuture<Void>();
        if (!ending.compareAndSet(null, gone)) {
            return ending.get();
        }
        CompletableFuture<Void> inServer = ender.get();
        if (ended) {
            // Its process closes the socket as its last act; what lies between may have closed it, too.
            gone.complete(null);
        } else {
            var unused = inServer.whenComplete((nothing, fault) -> gone.complete(null));
        }
        return gone;
    }

    /** Receives the results of rounds, in their order. */
    interface Rounds {
        /** Receives what the round that runs now answers. */
        FlushResult result();

        /**
         * That round is over.
         *
         * @param transaction see {@link Conversation#ready}
         * @param refused what PostgreSQL answered instead of going on; null when it did all
         */
        void over(char transaction, SqlError refused);

        /**
         * The connection is gone, and no more answers come to this round and those behind it.
         *
         * @param why the error of this round alone, perhaps one of its statement
         * @param lost that the connection is lost, for all rounds
         * @param ended whether the server said that it ends the session: then it reads nothing behind this round
         */
        void broken(SqlError why, SqlError lost, boolean ended);
    }

    private record OneRound(FlushResult result, CompletableFuture<Character> end) implements Rounds {
        @Override
        public void over(char transaction, SqlError refused) {
            if (refused == null) {
                end.complete(transaction);
            } else {
                end.completeExceptionally(refused);
            }
        }

        @Override
        public void broken(SqlError why, SqlError lost, boolean ended) {
            end.completeExceptionally(why);
        }
    }

    private final class Answers implements Conversation {
        private final Rounds rounds;
        private final Iterator<List<Sent>> sent;
        private List<Sent> ofRound;
        private int bound;
        private int done;
        private SQLException refused;
        private boolean ended;

        Answers(Rounds rounds, List<List<Sent>> sent) {
            this.rounds = rounds;
            this.sent = sent.iterator();
            next();
        }

        @Override
        public ByteBudget.Account payer(ByteBudget.Account project) {
            return rounds.result().payer(project);
        }

        private void next() {
            ofRound = sent.hasNext() ? sent.next() : List.of();
            bound = 0;
            done = 0;
        }

        @Override
        public void message(char type, ByteBuf content) {
            switch (type) {
                case '1' -> prepared.confirmed();
                case '2' -> bound++;
                case 'D' -> rounds.result().row(content);
                case 'C' -> {
                    done++;
                    rounds.result().completed(content);
                }
                case 'I' -> {
                    done++;
                    rounds.result().completed();
                }
                case 'E' -> {
                    ended |= Wire.endsSession(content);
                    if (refused == null) {
                        refused = Wire.error(content);
                        outdated(refused.getSQLState());
                    }
                }
                default -> {
                    // Confirmations of Close, descriptions.
                }
            }
        }

        /** Drops a statement that PostgreSQL refused before it ran, while its values were bound. */
        private void outdated(String sqlState) {
            if (bound == done
                    && done < ofRound.size()
                    && ofRound.get(done).prepared()
                    && PreparedStatements.mayBeOutdated(sqlState)) {
                prepared.drop(ofRound.get(done).text());
                rounds.result().outdated();
            }
        }

        @Override
        public void ready(char transaction) {
            prepared.endRound();
            next();
            SQLException why = refused;
            refused = null;
            rounds.over(transaction, why == null ? null : SqlError.of(why));
        }

        @Override
        public void unsent(SQLException why) {
            rounds.result().unsent();
            broken(why);
        }

        @Override
        public void broken(SQLException why) {
            rounds.broken(SqlError.of(refused == null ? why : refused), lost(why), ended);
        }

        /** What is too large is so in one round only. */
        private static SqlError lost(SQLException why) {
            boolean tooLarge = SqlError.TOO_LARGE.equals(why.getSQLState());
            return SqlError.of(
                    tooLarge
                            ? new PSQLException(
                                    "the connection was given up for another answer", PSQLState.CONNECTION_FAILURE, why)
                            : why);
        }
    }
}
