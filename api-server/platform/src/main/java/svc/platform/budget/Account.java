package svc.platform.budget;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One owner's part of a budget, or of another account: an organisation's, a project's in it, a class of its callers. The
 * object is cheap and keeps nothing: two of the same path are the same account.
 */
public final class Account {
    private final Budget budget;
    private final Optional<Account> whole;
    private final String name;
    private final Limit limit;

    Account(Budget budget, Optional<Account> whole, String name, Limit limit) {
        this.budget = budget;
        this.whole = whole;
        this.name = name;
        this.limit = limit;
    }

    /**
     * A part of this account.
     *
     * @param name of the owner, unique among the parts of this account
     * @param limit always the same for a name
     */
    public Account part(String name, Limit limit) {
        return new Account(budget, Optional.of(this), name, limit);
    }

    Optional<Account> whole() {
        return whole;
    }

    String name() {
        return name;
    }

    Limit limit() {
        return limit;
    }

    /** A permit that holds nothing yet. The caller closes it. */
    public Permit open() {
        return new Permit(budget, this, Optional.empty());
    }

    /** The same; it is closed with its owner, if not before. */
    public Permit open(Lifetime owner) {
        var permit = new Permit(budget, this, Optional.of(owner));
        if (!owner.bind(permit)) {
            permit.ownerEnded();
        }
        return permit;
    }

    /** Whether the account holds more than its share, because it was charged or others need it. */
    public boolean overdrawn() {
        return budget.overdrawn(this);
    }

    /** What it holds now, with its parts. */
    public long held() {
        return budget.held(this);
    }

    /**
     * Asks for an amount, and waits in line without a thread. Those that wait are served in the order of what their
     * accounts hold, from the top of the tree, and within an account in the order of their arrival.
     *
     * @param owner if it ends before the outcome is received, there is none, and nothing is held
     * @param on runs the receiver when it had to wait; otherwise the calling thread does
     */
    public void request(Lifetime owner, long amount, Duration patience, Executor on, Consumer<Outcome> receiver) {
        budget.request(open(owner), amount, new WaitingRequest.Terms(owner, patience, on, receiver));
    }

    /**
     * The same for a thread that may block.
     *
     * @throws InterruptedException and nothing is held
     */
    public Outcome await(long amount, Duration patience) throws InterruptedException {
        var decided = new CompletableFuture<Outcome>();
        var waiting = new Lifetime();
        request(waiting, amount, patience, Runnable::run, decided::complete);
        try {
            return decided.get();
        } catch (InterruptedException e) {
            waiting.close();
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome never fails", e);
        }
    }
}
