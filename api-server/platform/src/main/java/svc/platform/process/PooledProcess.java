package svc.platform.process;

import java.io.IOException;

/** A child process with the protocol that it speaks. Used by one thread at a time. */
public interface PooledProcess {
    ChildProcess child();

    /** Waits until the process can be asked. */
    void awaitReady() throws IOException;

    /**
     * Makes the process drop what it holds of its last caller, before another caller gets it.
     *
     * @throws IOException when the process has ended
     */
    default void reset() throws IOException {
        // Most programs keep nothing between two requests.
    }
}
