package svc.extensions.worker;

import java.util.Optional;

/** Parts of a turn that do not depend on each other: the error of one is reported after all of them had their time. */
final class Attempts {
    private Optional<RuntimeException> failure = Optional.empty();

    void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException e) {
            failure.ifPresent(e::addSuppressed);
            failure = Optional.of(e);
        }
    }

    /** @throws RuntimeException the last error, with the earlier ones */
    void finish() {
        failure.ifPresent(e -> {
            throw e;
        });
    }
}
