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
    /** The patience of a request that waits until its owner ends. */
    public static final Duration UNTIL_GIVEN_UP = Duration.ofNanos(Long.MAX_VALUE);

    private final Budget budget;
    private final Optional<Account> whole;
    private final String name;
    private final Terms terms;
    private final Optional<Account> across;

    /**
     * What an account may have.
     *
     * @param line requests of it and of its parts that may wait; one more is refused at once
     */
    record Terms(Limit limit, int line) {}

    Account(Budget budget, Optional<Account> whole, String name, Terms terms) {
        this(budget, whole, name, terms, Optional.empty());
    }

    private Account(Budget budget, Optional<Account> whole, String name, Terms terms, Optional<Account> across) {
        this.budget = budget;
        this.whole = whole;
        this.name = name;
        this.terms = terms;
        this.across = across;
    }

    /**
     * A part of this account.
     *
     * @param name of the owner, unique among the parts of this account
     * @param limit always the same for a name
     */
    public Account part(String name, Limit limit) {
        return part(name, limit, Integer.MAX_VALUE);
    }

    /**
     * A part of which so many requests may wait.
     *
     * @param line always the same for a name; one request more is refused at once
     */
    public Account part(String name, Limit limit, int line) {
        return new Account(budget, Optional.of(this), name, new Terms(limit, line));
    }

    /**
     * This account, which also counts against a limit across owners.
     *
     * @param limit of {@link Budget#across}, always the same for an account
     */
    public Account within(Account limit) {
        return new Account(budget, whole, name, terms, Optional.of(limit));
    }

    Optional<Account> whole() {
        return whole;
    }

    String name() {
        return name;
    }

    Limit limit() {
        return terms.limit();
    }

    int line() {
        return terms.line();
    }

    Optional<Account> across() {
        return across;
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
     * accounts hold, from the top of the tree; of equal accounts first the one that has waited longest since it was served
     * or returned something, and within an account in the order of their arrival. A request is refused at once when the
     * line of its account is full.
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
