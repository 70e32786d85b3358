package svc.api.management.query.gate;

import java.util.List;
import java.util.Optional;
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
                .or(() -> inside(read.embedded()));
    }

    private static Optional<Finding> blocks(ReadStatement read) {
        return read.blocks().stream().anyMatch(FunctionBody::controlsTransaction)
                ? Optional.of(ForbiddenStatements.of("TransactionStmt"))
                : Optional.empty();
    }

    private Optional<Finding> inside(List<ReadStatement> embedded) {
        for (ReadStatement statement : embedded) {
            Optional<Finding> finding = judge(statement);
            if (finding.isPresent()) {
                Finding found = finding.get();
                return Optional.of(new Finding(found.code(), found.what(), found.hint(), Finding.NOWHERE));
            }
        }
        return Optional.empty();
    }
}
