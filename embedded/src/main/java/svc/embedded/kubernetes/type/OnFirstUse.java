package svc.embedded.kubernetes.type;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Makes rules when they are first asked for, once. */
final class OnFirstUse implements Supplier<ObjectRules> {
    private final Supplier<ObjectRules> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<ObjectRules> made = Optional.empty();

    OnFirstUse(Supplier<ObjectRules> maker) {
        this.maker = maker;
    }

    @Override
    public ObjectRules get() {
        lock.lock();
        try {
            if (made.isEmpty()) {
                made = Optional.of(maker.get());
            }
            return made.get();
        } finally {
            lock.unlock();
        }
    }
}
