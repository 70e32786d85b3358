package svc.embedded.kubernetes.type;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Rules that are compiled at the first use, once. */
final class Lazy implements Supplier<ObjectRules> {
    private final Supplier<ObjectRules> compile;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<ObjectRules> compiled = Optional.empty();

    Lazy(Supplier<ObjectRules> compile) {
        this.compile = compile;
    }

    @Override
    public ObjectRules get() {
        lock.lock();
        try {
            if (compiled.isEmpty()) {
                compiled = Optional.of(compile.get());
            }
            return compiled.get();
        } finally {
            lock.unlock();
        }
    }
}
