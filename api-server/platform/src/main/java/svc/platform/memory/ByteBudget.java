package svc.platform.memory;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import svc.platform.budget.Budget;
import svc.platform.budget.Lifetime;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;

/**
 * Memory in bytes that owners share by dynamic thresholds ({@link Limit#SHARE}), and the parts of an owner in the same way.
 * Strangers who read an owner's public data have accounts apart: what they hold is none of the owner's share, and all of
 * them together hold one share.
 *
 * <p>Thread-safe.
 */
public final class ByteBudget {
    private static final String STRANGERS = "public readers";
    private static final String ANONYMOUS = "anonymous callers";

    private final Budget budget;

    /** The decision on a demand. */
    public enum Verdict {
        GRANTED,
        /** The owner holds its share; it may try again later. */
        BUSY,
        /** More than an owner can ever hold: it will not be granted later either. */
        TOO_LARGE
    }

    /** @param total in bytes */
    public ByteBudget(long total) {
        this(new Budget("memory", total));
    }

    ByteBudget(Budget budget) {
        this.budget = budget;
    }

    /** The most that one owner can hold, in bytes. */
    public long largest() {
        return Limit.SHARE.ceiling(total());
    }

    public long total() {
        return budget.total();
    }

    /** What all owners hold, in bytes; beyond the total when more was charged. */
    public long held() {
        return budget.held();
    }

    /** An owner's part of the budget. The object is cheap and keeps nothing. */
    public Account account(String owner) {
        return new Account(
                budget.whole().part(owner, Limit.SHARE),
                budget.whole().part(STRANGERS, Limit.SHARE).part(owner, Limit.SHARE));
    }

    /** A project's part of its organisation's part. */
    public Account ofProject(String organization, String ref) {
        return account("organization " + organization).part("project " + ref);
    }

    /** Requests that wait. */
    public int waiting() {
        return budget.waiting();
    }

    /** How many owners hold something. */
    int owners() {
        return budget.owners();
    }

    /** One owner of memory. */
    public final class Account {
        private final svc.platform.budget.Account account;
        private final svc.platform.budget.Account strangers;

        private Account(svc.platform.budget.Account account, svc.platform.budget.Account strangers) {
            this.account = account;
            this.strangers = strangers;
        }

        /** The account of a part of the owner, such as a project of an organisation. */
        public Account part(String name) {
            return new Account(account.part(name, Limit.LARGE_SHARE), strangers.part(name, Limit.LARGE_SHARE));
        }

        /** The account of the strangers who read what the owner has made public. */
        public Account ofStrangers() {
            return new Account(strangers, strangers);
        }

        /** The part of the owner's account for callers that anyone can be: together they leave the owner the rest of its share. */
        public Account ofAnonymous() {
            return new Account(account.part(ANONYMOUS, Limit.SHARE_UNLESS_ALONE), strangers);
        }

        /** A permit that holds nothing yet. */
        public Permit open() {
            return new Permit(account.open());
        }

        /** Whether the owner holds more than its share, because memory was charged or others need it. */
        public boolean overdrawn() {
            return account.overdrawn();
        }

        /**
         * Asks for memory and waits in line without a thread.
         *
         * @param owner if it ends first, there is no outcome, and nothing is held
         * @param on runs the receiver when the request had to wait; otherwise the calling thread does
         */
        public void request(Lifetime owner, long bytes, Duration patience, Executor on, Consumer<Awaited> receiver) {
            account.request(owner, bytes, patience, on, outcome -> receiver.accept(awaited(outcome)));
        }

        /**
         * The same for a thread that may block.
         *
         * @throws InterruptedException and nothing is held
         */
        public Awaited await(long bytes, Duration patience) throws InterruptedException {
            return awaited(account.await(bytes, patience));
        }

        /** What it holds now, in bytes. */
        public long held() {
            return account.held();
        }
    }

    private static Awaited awaited(Outcome outcome) {
        return outcome instanceof Outcome.Granted(svc.platform.budget.Permit permit)
                ? new Awaited.Granted(new Permit(permit))
                : new Awaited.Refused();
    }

    /** The end of a wait for memory. */
    public sealed interface Awaited {
        /** @param permit to be closed by the receiver */
        record Granted(Permit permit) implements Awaited {}

        record Refused() implements Awaited {}
    }

    /** The memory of one piece of work. Closing returns it, once, however often it is closed. */
    public static final class Permit implements AutoCloseable {
        private final svc.platform.budget.Permit permit;

        private Permit(svc.platform.budget.Permit permit) {
            this.permit = permit;
        }

        /** Holds so many bytes more, if they are granted. A closed permit gets none. */
        public Verdict grow(long more) {
            return switch (permit.grow(more)) {
                case GRANTED -> Verdict.GRANTED;
                case BUSY -> Verdict.BUSY;
                case TOO_LARGE -> Verdict.TOO_LARGE;
            };
        }

        /** Holds so many bytes more, for memory that exists already and can only be waited for. */
        public void charge(long more) {
            permit.charge(more);
        }

        /** Gives a part back before the end. */
        public void giveBack(long fewer) {
            permit.shrink(fewer);
        }

        /** @see svc.platform.budget.Permit#reclaimBy */
        public void reclaimBy(Runnable giveBack) {
            permit.reclaimBy(giveBack);
        }

        /** @see svc.platform.budget.Permit#progress */
        public void progress() {
            permit.progress();
        }

        @Override
        public void close() {
            permit.close();
        }
    }
}
