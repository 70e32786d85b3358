package svc.sqlgate;

import java.util.List;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.translation.TakenRoles;
import svc.sqlgate.translation.TransactionPairs;

/** What a part of a long script has to know of the parts before it. One for each script, for one thread. */
final class ScriptCourse {
    private final int parts;
    private int begun;
    private boolean open;
    private TakenRoles roles = TakenRoles.none();

    ScriptCourse(int parts) {
        this.parts = parts;
    }

    /** Whether these statements, those of the next part, are one that has the script for itself. */
    boolean alone(List<ReadStatement> part) {
        return parts == 1 && part.size() == 1;
    }

    /** The halves of pairs of BEGIN and COMMIT among the statements of the next part. */
    TransactionPairs.Found pairs(List<ReadStatement> part) {
        begun++;
        TransactionPairs.Found found =
                TransactionPairs.of(part.stream().map(ReadStatement::statement).toList(), open, begun < parts);
        open = found.open();
        return found;
    }

    /** The roles that it takes, behind those that were taken. */
    TakenRoles roles(List<ReadStatement> part) {
        roles = roles.and(part);
        return roles;
    }

    /** Whether a BEGIN has found no COMMIT. */
    boolean isOpen() {
        return open;
    }
}
