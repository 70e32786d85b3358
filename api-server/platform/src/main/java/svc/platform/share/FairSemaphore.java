package svc.platform.share;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A semaphore that organisations share, and the projects of each of them. A permit that is returned goes to the waiting
 * organisation that holds the fewest, then to its project that holds the fewest; among equals to the one that was served
 * longest ago. So a caller waits for the work of others, but never behind a queue of them. Long work gets a part of the
 * permits only: short work does not wait for it.
 *
 * <p>Built on a lock and not on monitors, because a virtual thread that waits in a monitor keeps its carrier.
 */
public final class FairSemaphore {
    private final Limits limits;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their arrival; none of them could have a permit now. */
    private final List<Waiter> waiters = new ArrayList<>();

    private final Map<String, Share> organizations = new HashMap<>();
    private final Map<Caller, Share> projects = new HashMap<>();
    private int held;
    private int heldByLong;
    private long served;

    /**
     * @param permits of all callers
     * @param longPermits that long work may hold, of the same permits
     * @param waitingOfProject callers of one project that may wait; one more is turned away at once
     * @param waitingOfOrganization the same of the projects of an organisation together
     * @param waiting the same of all
     */
    public record Limits(int permits, int longPermits, int waitingOfProject, int waitingOfOrganization, int waiting) {
        public Limits {
            if (permits < 1 || longPermits < 1 || longPermits > permits) {
                throw new IllegalArgumentException("a semaphore has permits, and one of them for long work");
            }
        }
    }

    /** On whose behalf a permit is held. */
    public record Caller(String organization, String project) {}

    /** How long a permit is expected to be held, by what is known beforehand. */
    public enum Work {
        SHORT,
        LONG
    }

    /** What one organisation or one project has; kept only while it holds a permit or waits for one. */
    private static final class Share {
        private int held;
        private int waiting;
        private long servedLast;
    }

    private final class Waiter {
        private final Caller caller;
        private final Work work;
        private final Condition turn = lock.newCondition();
        private boolean admitted;

        Waiter(Caller caller, Work work) {
            this.caller = caller;
            this.work = work;
        }
    }

    /** One permit; returned once, however often it is closed. */
    public final class Permit implements AutoCloseable {
        private final Caller caller;
        private final Work work;
        private boolean closed;

        private Permit(Caller caller, Work work) {
            this.caller = caller;
            this.work = work;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!closed) {
                    closed = true;
                    released(caller, work);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public FairSemaphore(Limits limits) {
        this.limits = limits;
    }

    /** A permit that is free now; never waits. */
    public Optional<Permit> tryAcquire(Caller caller, Work work) {
        lock.lock();
        try {
            if (!fits(work)) {
                return Optional.empty();
            }
            admit(caller, work);
            return Optional.of(new Permit(caller, work));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A permit, after a wait for it.
     *
     * @return empty when the queue of the caller is full, or its turn has not come in time
     */
    public Optional<Permit> acquire(Caller caller, Work work, Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (fits(work)) {
                admit(caller, work);
                return Optional.of(new Permit(caller, work));
            }
            return !isFull(caller) && awaited(new Waiter(caller, work), longest)
                    ? Optional.of(new Permit(caller, work))
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull(Caller caller) {
        return waiters.size() >= limits.waiting()
                || waitingOf(organizations.get(caller.organization())) >= limits.waitingOfOrganization()
                || waitingOf(projects.get(caller)) >= limits.waitingOfProject();
    }

    private static int waitingOf(Share share) {
        return share == null ? 0 : share.waiting;
    }

    private boolean awaited(Waiter waiter, Duration longest) throws InterruptedException {
        waiters.add(waiter);
        changeWaiting(waiter.caller, 1);
        long nanos = longest.toNanos();
        try {
            while (!waiter.admitted && nanos > 0) {
                nanos = waiter.turn.awaitNanos(nanos);
            }
            return waiter.admitted;
        } catch (InterruptedException e) {
            if (waiter.admitted) {
                released(waiter.caller, waiter.work);
            }
            throw e;
        } finally {
            if (waiters.remove(waiter)) {
                changeWaiting(waiter.caller, -1);
            }
        }
    }

    private void changeWaiting(Caller caller, int change) {
        organizations.computeIfAbsent(caller.organization(), name -> new Share()).waiting += change;
        projects.computeIfAbsent(caller, name -> new Share()).waiting += change;
        forgetIdle(caller);
    }

    private boolean fits(Work work) {
        return held < limits.permits() && (work == Work.SHORT || heldByLong < limits.longPermits());
    }

    private void admit(Caller caller, Work work) {
        held++;
        heldByLong += work == Work.LONG ? 1 : 0;
        served++;
        for (Share share : List.of(
                organizations.computeIfAbsent(caller.organization(), name -> new Share()),
                projects.computeIfAbsent(caller, name -> new Share()))) {
            share.held++;
            share.servedLast = served;
        }
    }

    private void released(Caller caller, Work work) {
        held--;
        heldByLong -= work == Work.LONG ? 1 : 0;
        organizations.get(caller.organization()).held--;
        projects.get(caller).held--;
        Optional<Waiter> next = next();
        // Before the one that returned it is forgotten: when it was served last decides whose turn it is.
        forgetIdle(caller);
        next.ifPresent(waiter -> {
            waiters.remove(waiter);
            changeWaiting(waiter.caller, -1);
            admit(waiter.caller, waiter.work);
            waiter.admitted = true;
            waiter.turn.signal();
        });
    }

    private Optional<Waiter> next() {
        return waiters.stream()
                .filter(waiter -> fits(waiter.work))
                .min(Comparator.<Waiter>comparingInt(one -> organizationOf(one).held)
                        .thenComparingLong(one -> organizationOf(one).servedLast)
                        .thenComparingInt(one -> projects.get(one.caller).held)
                        .thenComparingLong(one -> projects.get(one.caller).servedLast));
    }

    private Share organizationOf(Waiter waiter) {
        return organizations.get(waiter.caller.organization());
    }

    private void forgetIdle(Caller caller) {
        organizations.computeIfPresent(caller.organization(), (name, share) -> kept(share));
        projects.computeIfPresent(caller, (name, share) -> kept(share));
    }

    private static Share kept(Share share) {
        return share.held == 0 && share.waiting == 0 ? null : share;
    }

    /** Organisations and projects that hold a permit or wait for one. */
    int known() {
        lock.lock();
        try {
            return organizations.size() + projects.size();
        } finally {
            lock.unlock();
        }
    }
}
