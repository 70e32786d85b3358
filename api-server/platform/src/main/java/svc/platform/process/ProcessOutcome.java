package svc.platform.process;

import java.io.IOException;
import java.util.Optional;

/** The outcome of one piece of work of a child process. */
public sealed interface ProcessOutcome<T> {
    record Completed<T>(T answer) implements ProcessOutcome<T> {}

    /**
     * The process is gone, with the work.
     *
     * @param killedFor the limit that it exceeded; empty when it ended by itself, or violated its protocol
     */
    record Failed<T>(Optional<KillReason> killedFor, IOException cause) implements ProcessOutcome<T> {}

    /** No process can be started: a fault of the installation, or the pool is closed. */
    record NotStarted<T>(Exception cause) implements ProcessOutcome<T> {}
}
