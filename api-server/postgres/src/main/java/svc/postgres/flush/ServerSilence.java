package svc.postgres.flush;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jboss.logging.Logger;
import svc.postgres.Login;
import svc.postgres.SqlError;

/**
 * Tells a server that is stopped from one that works on a long query: it accepts connections and answers nothing. A server
 * of the platform's is tried with a login of the platform's while a request waits for long. Does not block.
 */
final class ServerSilence {
    private static final Logger LOG = Logger.getLogger(ServerSilence.class);

    /** A login takes milliseconds. */
    private static final Duration SILENT = Duration.ofSeconds(3);

    /** Between two trials of one server. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Map<String, Trial> trials = new ConcurrentHashMap<>();
    private final Function<String, Optional<Login>> login;

    /** @param login of the platform's, for the address of a database */
    ServerSilence(Function<String, Optional<Login>> login) {
        this.login = login;
    }

    private enum State {
        PENDING,
        ANSWERED,
        SILENT
    }

    private static final class Trial {
        private final long began = System.nanoTime();
        private final boolean silentBefore;
        private volatile State state = State.PENDING;

        Trial(boolean silentBefore) {
            this.silentBefore = silentBefore;
        }

        long ageNanos() {
            return System.nanoTime() - began;
        }

        boolean isSilent() {
            return switch (state) {
                case ANSWERED -> false;
                case SILENT -> true;
                case PENDING -> silentBefore || ageNanos() > SILENT.toNanos();
            };
        }
    }

    /** Whether the server has left a login without an answer; begins another trial where the last one is old. */
    boolean isSilent(String jdbcUrl) {
        Trial trial = trials.get(jdbcUrl);
        if (trial == null || (trial.state != State.PENDING && trial.ageNanos() > PAUSE.toNanos())) {
            var next = new Trial(trial != null && trial.isSilent());
            boolean mine =
                    trial == null ? trials.putIfAbsent(jdbcUrl, next) == null : trials.replace(jdbcUrl, trial, next);
            if (mine) {
                login.apply(jdbcUrl).ifPresentOrElse(with -> begin(with, next), () -> next.state = State.ANSWERED);
            }
            return next.isSilent();
        }
        return trial.isSilent();
    }

    /** The same without a trial. */
    boolean isKnownSilent(String jdbcUrl) {
        Trial trial = trials.get(jdbcUrl);
        return trial != null && trial.isSilent();
    }

    private static void begin(Login login, Trial trial) {
        Thread.ofVirtual().name("svc-db-trial").start(() -> {
            State found = State.ANSWERED;
            try (var connection = login.open(SILENT)) {
                LOG.tracef("%s answers", connection);
            } catch (SQLException | SqlError e) {
                found = timedOut(e) ? State.SILENT : State.ANSWERED;
                LOG.debugf(e, "while trying %s", login);
            } finally {
                trial.state = found;
            }
        });
    }

    private static boolean timedOut(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
