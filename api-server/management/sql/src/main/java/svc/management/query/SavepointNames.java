package svc.management.query;

import java.util.ArrayList;
import java.util.List;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The savepoints of one transaction, by the names that its client gives them; of equal names the last one is meant. */
final class SavepointNames {
    /**
     * Set inside of each other. A server keeps 64 subtransactions of a session where all can read them; beyond, every
     * snapshot of its other sessions becomes slower.
     */
    private static final int MAX_OPEN = 50;

    private final List<Savepoint> open = new ArrayList<>();

    /** @param calls that had run when it was set */
    private record Savepoint(String name, int calls) {}

    boolean isEmpty() {
        return open.isEmpty();
    }

    boolean full() {
        return open.size() >= MAX_OPEN;
    }

    void add(String name, int calls) {
        open.add(new Savepoint(name, calls));
    }

    /** @throws svc.platform.problem.ProblemException for a name that is not set */
    int find(String name) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i).name().equals(name)) {
                return i;
            }
        }
        throw Problem.of(ProblemCode.SQL_ERROR, "savepoint \"" + name + "\" does not exist")
                .withHint("Set it with SAVEPOINT in this transaction, or send ROLLBACK.")
                .with("sqlstate", "3B001")
                .asException();
    }

    void release(int number) {
        open.subList(number, open.size()).clear();
    }

    /** @return calls that had run when it was set */
    int returnTo(int number) {
        open.subList(number + 1, open.size()).clear();
        return open.get(number).calls();
    }

    static Problem tooMany() {
        return Problem.of(ProblemCode.SQL_TOO_LARGE, "The transaction has too many savepoints, or too many statements.")
                .withHint("Release savepoints that are not needed: at most " + MAX_OPEN + " are open at a time.");
    }
}
