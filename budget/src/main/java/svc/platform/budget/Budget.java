package svc.platform.budget;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * An amount of one resource, in bytes or places, that a tree of accounts shares: the process, its organisations, their
 * projects, classes of callers. It counts and allocates nothing.
 *
 * <p>Thread-safe. Receivers of outcomes and owners that give back are called outside the lock.
 */
public final class Budget {
    private final String kind;
    private final BudgetSettings settings;
    private final AccountTree accounts;
    private final ReentrantLock lock = new ReentrantLock();
    private final CurrentStreak streak;
    private final WaitingLines lines;
    private final LongAdder refused = new LongAdder();
    private final LongAdder reclaimed = new LongAdder();

    /**
     * @param kind the resource, as metrics name it
     * @param total bytes or places
     */
    public Budget(String kind, long total) {
        this(kind, BudgetSettings.of(total));
    }

    /** @param kind the resource, as metrics name it */
    public Budget(String kind, BudgetSettings settings) {
        this.kind = kind;
        this.settings = settings;
        this.accounts = new AccountTree(this, settings);
        this.streak = new CurrentStreak(settings);
        this.lines = new WaitingLines(accounts.roots(), streak);
    }

    public String kind() {
        return kind;
    }

    /** The account of the process, of which all others are parts. */
    public Account whole() {
        return accounts.whole();
    }

    /**
     * A limit across owners, such as that of long work of all of them: for {@link Account#within}.
     *
     * @param max always the same for a name
     */
    public Account across(String name, long max) {
        return accounts.across(name, max);
    }

    public long total() {
        return settings.total();
    }

    /** What all accounts hold; beyond the total when more was charged. */
    public long held() {
        return locked(accounts.root()::held);
    }

    /** Requests in line. */
    public int waiting() {
        return locked(lines::size);
    }

    /** Demands that were refused since the start. */
    public long refused() {
        return refused.sum();
    }

    /** Permits that were taken back since the start. */
    public long reclaimed() {
        return reclaimed.sum();
    }

    /** Accounts directly below the process that hold something or wait. */
    public int owners() {
        return locked(accounts.root()::partCount);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    boolean overdrawn(Account account) {
        return locked(() -> accounts.known(account).map(Node::overdrawn).orElse(false));
    }

    long held(Account account) {
        return locked(() -> accounts.known(account).map(Node::held).orElse(0L));
    }

    Verdict grow(Permit permit, long more) {
        Verdict verdict = more == 0 ? Verdict.GRANTED : locked(() -> take(permit, more));
        if (verdict != Verdict.GRANTED) {
            refused.increment();
        }
        return verdict;
    }

    private Verdict take(Permit permit, long more) {
        if (permit.isClosed()) {
            return Verdict.BUSY;
        }
        Node node = permit.node().orElseGet(() -> accounts.node(permit.account()));
        Verdict verdict = node.judge(more, permit.amount() + more);
        if (verdict == Verdict.GRANTED) {
            hold(permit, node, more);
        } else {
            node.forget();
        }
        return verdict;
    }

    private void hold(Permit permit, Node node, long more) {
        streak.served(node);
        if (permit.node().isEmpty()) {
            node.beginTurn();
        }
        permit.hold(node, more, settings.now());
    }

    void charge(Permit permit, long more) {
        if (more > 0) {
            locked(() -> {
                if (!permit.isClosed()) {
                    hold(permit, permit.node().orElseGet(() -> accounts.node(permit.account())), more);
                }
                return more;
            });
        }
    }

    void shrink(Permit permit, long less) {
        if (less < 0) {
            throw new IllegalArgumentException("a return of " + less);
        }
        change(() -> permit.node().ifPresent(node -> permit.hold(node, -Math.min(less, permit.amount()), 0)));
    }

    void close(Permit permit) {
        change(() -> {
            permit.node().ifPresent(node -> {
                long nanos = settings.now() - permit.heldSince();
                streak.returned(node, nanos);
                node.endTurn(settings.order() == BudgetSettings.Order.BY_TIME ? nanos : 0);
            });
            permit.end();
        });
    }

    /** Changes the state, and serves those that wait. */
    private void change(Runnable change) {
        List<WaitingRequest> served = locked(() -> {
            change.run();
            return lines.size() == 0 ? List.of() : serve();
        });
        served.forEach(request -> request.decided(new Outcome.Granted(request.permit())));
    }

    private List<WaitingRequest> serve() {
        List<WaitingRequest> served = new ArrayList<>();
        for (Optional<WaitingRequest> next = lines.next(); next.isPresent(); next = lines.next()) {
            WaitingRequest request = next.get();
            lines.remove(request);
            // The owner may be ending: its permit is closed, and its request leaves the line next.
            if (!request.permit().isClosed()) {
                hold(request.permit(), request.node(), request.amount());
                served.add(request);
            }
            request.node().unuse();
        }
        return served;
    }

    void request(Permit permit, long amount, WaitingRequest.Terms terms) {
        Optional<Outcome> outcome = locked(() -> begin(permit, amount, terms));
        outcome.ifPresent(now -> {
            if (!(now instanceof Outcome.Granted)) {
                refused.increment();
                permit.close();
            }
            WaitingRequest.deliver(terms, now);
        });
    }

    private Optional<Outcome> begin(Permit permit, long amount, WaitingRequest.Terms terms) {
        if (permit.isClosed()) {
            return Optional.of(new Outcome.Busy());
        }
        // Requests that wait already come first.
        boolean first = accounts.known(permit.account())
                .map(node -> node.line().isEmpty())
                .orElse(true);
        Verdict verdict =
                first ? take(permit, amount) : accounts.node(permit.account()).judge(amount, amount);
        if (verdict == Verdict.TOO_LARGE) {
            return Optional.of(new Outcome.TooLarge());
        }
        if (first && verdict == Verdict.GRANTED) {
            return Optional.of(new Outcome.Granted(permit));
        }
        return enqueue(permit, amount, terms);
    }

    private Optional<Outcome> enqueue(Permit permit, long amount, WaitingRequest.Terms terms) {
        Node node = accounts.node(permit.account());
        if (!node.mayWait()) {
            node.forget();
            return Optional.of(new Outcome.Busy());
        }
        var request = new WaitingRequest(this, permit, amount, terms, node);
        if (terms.owner().bind(request)) {
            lines.add(request);
            request.wake(settings.reclaim().tend());
        } else {
            node.forget();
        }
        return Optional.empty();
    }

    /** The owner of a request has ended: its receiver is not called. */
    void leave(WaitingRequest request) {
        change(() -> {
            if (lines.remove(request)) {
                request.node().unuse();
            }
        });
    }

    /** A request has waited for a while: it is refused when it did for too long, or others give back for it. */
    void tend(WaitingRequest request) {
        if (request.isLate()) {
            if (locked(() -> lines.remove(request))) {
                refused.increment();
                change(request.node()::unuse);
                request.permit().close();
                request.decided(new Outcome.Busy());
            }
            return;
        }
        Optional<Runnable> giveBack = locked(() -> lines.contains(request) ? stuck(request) : Optional.empty());
        giveBack.ifPresent(by -> {
            reclaimed.increment();
            by.run();
        });
        locked(() -> {
            if (lines.contains(request)) {
                request.wake(settings.reclaim().tend());
            }
            return request;
        });
    }

    /** Has the permit that got on longest ago give back. */
    private Optional<Runnable> stuck(WaitingRequest request) {
        return request.node().reclaimable().stream()
                .findFirst()
                .filter(permit -> System.nanoTime() - permit.lastProgress()
                        > settings.reclaim().stuck().toNanos())
                .flatMap(Permit::takeBack);
    }

    void reclaimBy(Permit permit, Runnable giveBack) {
        locked(() -> {
            if (!permit.isClosed()) {
                permit.reclaimable(giveBack, System.nanoTime());
            }
            return permit;
        });
    }

    void progress(Permit permit) {
        locked(() -> {
            permit.progressed(System.nanoTime());
            return permit;
        });
    }
}
