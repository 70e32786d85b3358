package svc.management.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import svc.management.query.AuthorizedCall;
import svc.management.query.CallOrigin;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.CopyPeer;

/**
 * A client that has signed in: takes its messages one behind the other, reads its credential again and again, and gives back
 * what it has taken when it leaves. Used by one thread, but for {@link #cancel}.
 */
final class ClientSession implements SessionStatements.Callers {
    private static final Logger LOG = Logger.getLogger(ClientSession.class);

    /** Messages that wait for their Sync, and those behind them. */
    private static final int MAX_BATCH = 4000;

    private final SignedIn in;
    private final Optional<String> address;
    private final EndpointParts parts;
    private final Answers answers;
    private final ClientSocket socket;
    private final SessionStatements statements;
    private final PreparedStatements prepared;
    private final SimpleQuery simple;
    private final ExtendedQuery extended;
    private final StatementTurn turn;
    private final ClientCredential credential;
    private final MessageQueue messages = new MessageQueue(this::admit, () -> stop(false));
    private final CopyRows copied;

    /** Closed with the session: what the reader of messages asks for later is not granted. */
    private final Permit memory;

    private final List<ClientMessage> batch = new ArrayList<>();

    /** Completes when what runs now has to stop: true if the client cancels it, false if the client has left. */
    private volatile CompletableFuture<Boolean> current = new CompletableFuture<>();

    private long batchBytes;

    ClientSession(SignedIn in, Optional<String> address, EndpointParts parts, Answers answers, ClientSocket socket) {
        this.in = in;
        this.address = address;
        this.parts = parts;
        this.answers = answers;
        this.socket = socket;
        this.memory = parts.budgets().memory(in).open();
        this.copied = new CopyRows(answers, socket::answered, messages, this);
        this.prepared = new PreparedStatements(this);
        this.statements = new SessionStatements(parts.calls(), parts.history(), this, prepared, in.readOnly());
        this.simple = new SimpleQuery(statements, prepared, answers, this::answer);
        this.extended = new ExtendedQuery(statements, prepared, answers, copied, this::answer);
        this.turn = new StatementTurn(in, parts, answers);
        this.credential = new ClientCredential(in, parts.authorization());
    }

    /** Stops what runs now. */
    void cancel() {
        stop(true);
    }

    private void stop(boolean cancelled) {
        current.complete(cancelled);
    }

    @Override
    public AuthorizedCall of(String sql) {
        return credential.authorize(sql, new CallOrigin(RequestId.fresh(), address, current));
    }

    /**
     * Takes the settings that a client begins with.
     *
     * @return the parameters that it has to know
     * @throws ProblemException if the server refuses one
     */
    Map<String, String> begin(List<LocalStatement> settings) {
        try {
            statements.begin(settings);
            return statements.unreported();
        } finally {
            turn.end();
        }
    }

    @Override
    public AuthorizedCall turn(String sql) {
        AuthorizedCall authorized = of(sql);
        turn.take(authorized, current);
        return authorized;
    }

    @Override
    public CopyPeer copy() {
        return copied.begin();
    }

    @Override
    public boolean take(long bytes) {
        return memory.grow(bytes) == Verdict.GRANTED;
    }

    @Override
    public void giveBack(long bytes) {
        memory.shrink(bytes);
    }

    /** Serves the client until it leaves, or has to. */
    void serve(InputStream input) {
        messages.start(new MessageReader(input));
        try {
            work();
        } catch (ProtocolException e) {
            end(ErrorAnswer.fatal(e.sqlState(), e.getMessage()));
        } catch (IOException e) {
            LOG.debugf("a client of %s has left: %s", in.ref(), e.toString());
        } catch (InterruptedException e) {
            end(ErrorAnswer.fatal("57P01", "the server ends"));
        } finally {
            try {
                statements.close();
            } finally {
                turn.end();
                socket.close();
                messages.close();
                memory.close();
            }
        }
    }

    private void admit(char type, int bytes) throws ProtocolException, InterruptedException {
        if (type == 'd') {
            copied.await(bytes);
        }
        if (!take(bytes + ClientMessage.COST)) {
            throw new ProtocolException(
                    "53200", "there is no memory for what clients of this project, or of its organisation, send");
        }
    }

    private void work() throws IOException, ProtocolException, InterruptedException {
        while (true) {
            Optional<ClientMessage> message = next();
            if (message.filter(found -> found.type() != 'X').isEmpty()) {
                if (messages.fault().isPresent()) {
                    throw messages.fault().get();
                }
                return;
            }
            if (message.get().type() == 'd') {
                // Of a COPY that was refused, or has ended.
                copied.drop(message.get());
                continue;
            }
            batchBytes += message.get().content().length + ClientMessage.COST;
            if (!handle(message.get())) {
                return;
            }
        }
    }

    /** Empty for a client that has to leave. */
    private Optional<ClientMessage> next() throws InterruptedException {
        Instant idleEnd = Instant.now().plus(parts.config().idle());
        while (true) {
            Optional<ClientMessage> message = messages.poll(credential.untilCheck());
            Optional<ErrorAnswer> end = message.isEmpty() && !Instant.now().isBefore(idleEnd)
                    ? Optional.of(ErrorAnswer.fatal("57P05", "terminating connection due to idle-session timeout"))
                    : credential.refused(() -> of(""));
            if (end.isPresent()) {
                end(end.get());
                return Optional.empty();
            }
            if (message.isPresent()) {
                return message;
            }
        }
    }

    /** @return false if the session is over */
    private boolean handle(ClientMessage message) throws IOException, ProtocolException {
        return switch (message.type()) {
            case 'Q' -> runs(batch(false)) && query(message);
            case 'S' -> runs(batch(true)) && synced();
            case 'H' -> runs(batch(false)) && flush();
            case 'P', 'B', 'D', 'E', 'C' -> {
                if (batch.size() >= MAX_BATCH) {
                    throw new ProtocolException("54000", "more than " + MAX_BATCH + " messages without a Sync");
                }
                batch.add(message);
                yield true;
            }
            case 'F' -> {
                statements.abort();
                answers.error(ErrorAnswer.error("0A000", "function calls are not supported", "Send SELECT."));
                yield ready();
            }
            // The end of rows of a COPY that was refused.
            case 'c', 'f' -> true;
            default -> throw ProtocolException.violation("a message came out of turn");
        };
    }

    /** A Sync in front of the rows of a COPY is not answered, as in PostgreSQL: the client sends another behind them. */
    private boolean synced() throws IOException {
        return copied.tookRows() ? flush() : ready();
    }

    /** Behind an error of the extended protocol everything but a Sync is ignored. */
    private boolean query(ClientMessage message) throws IOException, ProtocolException {
        return extended.skipping()
                ? flush()
                : runs(guarded(() -> simple.run(message.fields().text()))) && ready();
    }

    /** Whether the session goes on behind this. */
    private boolean runs(Optional<Problem> problem) throws IOException {
        if (problem.filter(found -> found.code().status() == 401).isPresent()) {
            end(ErrorAnswer.of(problem.get()).asFatal());
            return false;
        }
        return true;
    }

    private Optional<Problem> batch(boolean sync) throws IOException, ProtocolException {
        if (batch.isEmpty() && !sync) {
            return Optional.empty();
        }
        try {
            return guarded(() -> extended.run(List.copyOf(batch), sync));
        } finally {
            batch.clear();
        }
    }

    @FunctionalInterface
    private interface Step {
        Optional<Problem> run() throws IOException, ProtocolException;
    }

    /** A fault of the service ends the session, because it is unknown what was answered. */
    private Optional<Problem> guarded(Step step) throws IOException, ProtocolException {
        current = new CompletableFuture<>();
        copied.none();
        if (messages.isOver()) {
            stop(false);
        }
        try {
            Optional<Problem> problem = step.run();
            copied.requireSound();
            return problem;
        } catch (RuntimeException e) {
            LOG.errorf(e, "while a client of %s was served", in.ref());
            throw new ProtocolException("XX000", "the service failed with an internal error");
        } finally {
            // A cancellation that comes too late must not end the transaction that is held.
            current = new CompletableFuture<>();
        }
    }

    private ErrorAnswer answer(Problem problem) {
        return problem.code() == ProblemCode.SQL_TIMEOUT && current.getNow(false)
                ? ErrorAnswer.error("57014", "canceling statement due to user request", "Nothing of it was applied.")
                : ErrorAnswer.of(problem);
    }

    private boolean ready() throws IOException {
        if (statements.status() != 'T') {
            prepared.closePortals();
        }
        for (Map.Entry<String, String> changed : statements.unreported().entrySet()) {
            answers.parameterStatus(changed.getKey(), changed.getValue());
        }
        answers.readyForQuery(statements.status());
        return flush();
    }

    private boolean flush() throws IOException {
        answers.flush();
        socket.answered();
        turn.end();
        giveBack(batchBytes);
        batchBytes = 0;
        return true;
    }

    private void end(ErrorAnswer why) {
        try {
            answers.error(why);
            answers.flush();
        } catch (IOException e) {
            LOG.tracef("a client of %s had left: %s", in.ref(), e.toString());
        }
    }
}
