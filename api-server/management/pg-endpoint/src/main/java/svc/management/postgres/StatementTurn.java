package svc.management.postgres;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import svc.management.query.AuthorizedCall;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The turn of one client's statements: waits until its project has statements and time left, then holds a place. */
final class StatementTurn {
    private static final Logger LOG = Logger.getLogger(StatementTurn.class);

    /** A shorter wait is not announced. */
    private static final Duration NOTICED = Duration.ofSeconds(1);

    private static final Duration PLACE_WAIT = Duration.ofSeconds(10);

    private final SignedIn in;
    private final EndpointParts parts;
    private final Answers answers;
    private Optional<Permit> running = Optional.empty();
    private long runningSince;

    StatementTurn(SignedIn in, EndpointParts parts, Answers answers) {
        this.in = in;
        this.parts = parts;
        this.answers = answers;
    }

    /**
     * Returns when it is this statement's turn.
     *
     * @param stopped completes when the client has left or cancels the statement
     * @throws ProblemException if its turn does not come in time, or the client does not wait
     */
    void take(AuthorizedCall authorized, CompletableFuture<Boolean> stopped) {
        Instant end = Instant.now().plus(parts.config().turn());
        boolean announced = false;
        Duration wait = parts.rates().take(in);
        while (!wait.isZero()) {
            if (Instant.now().plus(wait).isAfter(end)) {
                throw parts.calls().throttled(authorized, wait);
            }
            announced = announced || announce(wait);
            if (!waited(wait, stopped)) {
                throw parts.calls().throttled(authorized, wait);
            }
            wait = parts.rates().take(in);
        }
        enter();
    }

    /** Says that a statement waits, if it does so for a time that its client notices. */
    private boolean announce(Duration wait) {
        if (wait.compareTo(NOTICED) < 0) {
            return false;
        }
        try {
            answers.notice(ErrorAnswer.notice(
                    "the statement waits " + (wait.toSeconds() + 1) + " seconds for its turn",
                    "A project has " + parts.config().statementsPerSecond()
                            + " statements a second on its connections, and "
                            + parts.config().runningPerSecond()
                            + " that run at all times: send several statements as one message."));
            answers.flush();
        } catch (IOException e) {
            LOG.tracef("a client of %s had left: %s", in.ref(), e.toString());
        }
        return true;
    }

    /** False if the client has left, or has cancelled the statement. */
    private static boolean waited(Duration wait, CompletableFuture<Boolean> stopped) {
        try {
            stopped.get(wait.toMillis() + 1, TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void enter() {
        try {
            if (running.isEmpty()) {
                runningSince = System.nanoTime();
                running = Optional.of(place(parts.budgets().statements(in).await(1, PLACE_WAIT)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Problem.of(ProblemCode.UNAVAILABLE, "The server ends.").asException(e);
        }
    }

    private static Permit place(Outcome outcome) {
        if (outcome instanceof Outcome.Granted(Permit permit)) {
            return permit;
        }
        throw Problem.of(
                        ProblemCode.UNAVAILABLE,
                        "Too many statements of this project, or of its organisation, are running.")
                .withHint("Retry when one of them has ended.")
                .asException();
    }

    /** Gives the place back, and charges the time that it was held. */
    void end() {
        running.ifPresent(place -> {
            place.close();
            parts.rates().ran(in, System.nanoTime() - runningSince);
        });
        running = Optional.empty();
    }
}
