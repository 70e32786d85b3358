package svc.api.management.query.gate;

import java.util.Iterator;
import java.util.Optional;
import svc.api.management.query.gate.read.ReadStatement;
import svc.database.name.ProjectNames;

/** Judges a script that was read. Pure: the same script of the same project always gets the same answer. */
final class SqlGate {
    private final StatementRules statements;
    private final TreeRules trees;

    SqlGate(ProjectNames names) {
        var scope = new GateScope(names);
        this.statements = new StatementRules(scope);
        this.trees = new TreeRules(scope);
    }

    /** The first finding in a statement or in what is inside of it; locations of the inside are left out. */
    Optional<Finding> judge(ReadStatement read) {
        String kind = read.statement().kind();
        return statements
                .judge(kind, read.statement().tree())
                .or(() -> trees.judge(kind, read.statement().tree()))
                .or(() -> blocks(read))
                .or(() -> inside(read.embedded().iterator()));
    }

    private static Optional<Finding> blocks(ReadStatement read) {
        return read.blocks().stream().anyMatch(FunctionBody::controlsTransaction)
                ? Optional.of(ForbiddenStatements.of("TransactionStmt"))
                : Optional.empty();
    }

    private Optional<Finding> inside(Iterator<ReadStatement> embedded) {
        while (embedded.hasNext()) {
            Optional<Finding> finding = judge(embedded.next());
            if (finding.isPresent()) {
                Finding found = finding.get();
                return Optional.of(new Finding(found.code(), found.what(), found.hint(), Finding.NOWHERE));
            }
        }
        return Optional.empty();
    }
}
