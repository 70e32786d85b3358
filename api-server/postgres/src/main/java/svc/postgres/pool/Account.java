package svc.postgres.pool;

/**
 * Connections in use and waiting callers of a project, of an organisation, or of a whole pool: a project's account is a
 * part of its organisation's, and that one of the pool's. Guarded by the pool's lock.
 */
final class Account {
    private final Account whole;
    private int held;
    private int further;
    private int waiting;
    private int logins;
    private int activeProjects;

    /** Of a whole pool. */
    Account() {
        this(null);
    }

    private Account(Account whole) {
        this.whole = whole;
    }

    /** A part of this account. */
    Account part() {
        return new Account(this);
    }

    Account whole() {
        return whole;
    }

    /** Connections that are lent, being opened, or given up and not ended yet. */
    int held() {
        return held;
    }

    /** Of those held, all but the first of each project. */
    int further() {
        return further;
    }

    int waiting() {
        return waiting;
    }

    /** Projects of this account with a connection in use or a waiting caller. */
    int activeProjects() {
        return activeProjects;
    }

    /** A login or a part of this account exists. */
    void opened() {
        logins++;
    }

    /** True when it was the last one. */
    boolean closed() {
        return --logins == 0;
    }

    void held(int more) {
        change(more, 0);
    }

    void waits(int more) {
        change(0, more);
    }

    private void change(int connections, int callers) {
        boolean before = held + waiting > 0;
        int furtherThen = Math.max(0, held + connections - 1) - Math.max(0, held - 1);
        for (Account account = this; account != null; account = account.whole) {
            account.held += connections;
            account.further += furtherThen;
            account.waiting += callers;
        }
        boolean after = held + waiting > 0;
        if (before != after) {
            for (Account account = whole; account != null; account = account.whole) {
                account.activeProjects += after ? 1 : -1;
            }
        }
    }
}
