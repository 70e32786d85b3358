package svc.platform.budget;

import java.util.Optional;

/**
 * What one piece of work holds of a budget. Closing returns it, once, however often it is closed. Thread-safe: the state is
 * guarded by the budget's lock.
 */
public final class Permit implements AutoCloseable, Lifetime.Bound {
    private final Budget budget;
    private final Account account;
    private final Optional<Lifetime> owner;

    // Guarded by the budget's lock.
    private Optional<Node> node = Optional.empty();
    private Optional<Runnable> giveBack = Optional.empty();
    private long progressed;
    private long heldSince;
    private long amount;
    private boolean closed;

    Permit(Budget budget, Account account, Optional<Lifetime> owner) {
        this.budget = budget;
        this.account = account;
        this.owner = owner;
    }

    /** Holds so much more, if it is granted. A closed permit gets nothing. */
    public Verdict grow(long more) {
        return budget.grow(this, more);
    }

    /** Holds so much more, for what exists already and can only be waited for. */
    public void charge(long more) {
        budget.charge(this, more);
    }

    /** Returns a part of what it holds. */
    public void shrink(long less) {
        budget.shrink(this, less);
    }

    /**
     * Allows the budget to take the permit back while another request of its account waits and this one has not got on for
     * a while: of all such permits first the one that got on longest ago.
     *
     * @param giveBack closes the permit or its owner; called once, on any thread
     */
    public void reclaimBy(Runnable giveBack) {
        budget.reclaimBy(this, giveBack);
    }

    /** The work has got on: others of its account give back before it. */
    public void progress() {
        budget.progress(this);
    }

    @Override
    public void close() {
        budget.close(this);
        owner.ifPresent(lifetime -> lifetime.release(this));
    }

    @Override
    public void ownerEnded() {
        budget.close(this);
    }

    Account account() {
        return account;
    }

    long amount() {
        return amount;
    }

    boolean isClosed() {
        return closed;
    }

    Optional<Node> node() {
        return node;
    }

    long heldSince() {
        return heldSince;
    }

    /** @param now by the clock of streaks */
    void hold(Node of, long more, long now) {
        if (node.isEmpty()) {
            node = Optional.of(of);
            heldSince = now;
            of.use();
        }
        amount += more;
        of.add(more);
    }

    void end() {
        closed = true;
        node.ifPresent(of -> {
            of.reclaimable().remove(this);
            of.add(-amount);
            amount = 0;
            of.unuse();
        });
        node = Optional.empty();
        giveBack = Optional.empty();
    }

    void reclaimable(Runnable by, long now) {
        giveBack = Optional.of(by);
        progressed(now);
    }

    void progressed(long now) {
        progressed = now;
        if (giveBack.isPresent()) {
            node.ifPresent(of -> {
                of.reclaimable().remove(this);
                of.reclaimable().add(this);
            });
        }
    }

    long lastProgress() {
        return progressed;
    }

    Optional<Runnable> takeBack() {
        Optional<Runnable> by = giveBack;
        giveBack = Optional.empty();
        node.ifPresent(of -> of.reclaimable().remove(this));
        return by;
    }
}
