package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.translation.OutsideTransaction;
import svc.sqlgate.translation.Rewrite;
import svc.sqlgate.translation.Translator;

/** Judges a script that was read. Pure: the same script of the same project always gets the same answer. */
final class SqlGate {
    private final GateScope scope;
    private final StatementRules statements;
    private final TreeRules trees;
    private final Translator translator;
    private final Set<ClientStatement> open;
    private final boolean alone;
    private final Set<Integer> transactionPairs;

    SqlGate(
            GateScope scope,
            Translator translator,
            Set<ClientStatement> open,
            List<ReadStatement> part,
            ScriptCourse course) {
        this.scope = scope;
        this.open = open;
        this.statements = new StatementRules(scope);
        this.trees = new TreeRules(scope);
        this.translator = translator;
        this.alone = course.alone(part);
        this.transactionPairs = course.pairs(part).numbers();
    }

    /** Where a statement stands, which decides what may be sent instead of it. */
    private enum Place {
        SCRIPT,
        /** Directly in a PL/pgSQL body of a statement of the script. */
        BODY,
        /**
         * In other text, in which nothing can be replaced: a constant that is executed, a function in the language sql.
         */
        TEXT
    }

    /**
     * The first finding in a statement of the script or in what is inside of it; locations of the inside are left out.
     */
    Optional<Finding> judge(ReadStatement read) {
        return isTransactionPart(read) ? Optional.empty() : judge(read, Place.SCRIPT);
    }

    /** Whether it is half of a pair of BEGIN and COMMIT that is left out. */
    boolean isTransactionPart(ReadStatement read) {
        return transactionPairs.contains(read.statement().number());
    }

    private Optional<Finding> judge(ReadStatement read, Place place) {
        String kind = read.statement().kind();
        Rewrite rewrite = place == Place.BODY ? translator.ofBody(read.statement()) : translator.of(read.statement());
        return switch (rewrite) {
            case Rewrite.Refused refused ->
                Optional.of(new Finding(refused.code(), refused.what(), refused.hint(), Finding.NOWHERE));
            case Rewrite.Nothing nothing ->
                // It is not judged further, so what it names of another's is checked here.
                replaceable(place, kind, nothing.tag())
                        .or(() -> statements.altered(read.statement().tree()));
            case Rewrite.Instead instead ->
                replaceable(place, kind, instead.tag()).or(() -> replaced(read.statement()));
            case Rewrite.AsIs same -> asItIs(read, place);
        };
    }

    private Optional<Finding> asItIs(ReadStatement read, Place place) {
        String kind = read.statement().kind();
        return OutsideTransaction.name(read.statement())
                .filter(name -> !alone || place != Place.SCRIPT)
                .map(ForbiddenStatements::notAlone)
                .or(() -> allowed(read.statement(), place))
                .or(() -> trees.judge(kind, read.statement().tree()))
                .or(() -> blocks(read))
                .or(() -> declared(read))
                .or(() -> inside(read, place));
    }

    private Optional<Finding> allowed(Statement statement, Place place) {
        boolean inScript = place == Place.SCRIPT;
        return switch (statement.kind()) {
            case "CopyStmt" ->
                open.contains(ClientStatement.COPY)
                        ? CopyRules.judge(statement.tree(), alone && inScript)
                        : Optional.of(ForbiddenStatements.of(statement.kind()));
            case "PrepareStmt", "ExecuteStmt", "DeallocateStmt" ->
                open.contains(ClientStatement.PREPARE) && inScript
                        ? Optional.empty()
                        : Optional.of(ForbiddenStatements.of(statement.kind()));
            default -> statements.judge(statement.kind(), statement.tree());
        };
    }

    /** What is sent holds parts of a statement that is replaced. Those of CREATE SCHEMA run as statements of their own. */
    private Optional<Finding> replaced(Statement statement) {
        if (!statement.kind().equals("CreateSchemaStmt")) {
            return trees.judge(statement.kind(), statement.tree());
        }
        for (JsonNode element : statement.tree().path("schemaElts")) {
            Map.Entry<String, JsonNode> part = element.properties().iterator().next();
            Optional<Finding> finding = statements
                    .judge(part.getKey(), part.getValue())
                    .or(() -> trees.judge(part.getKey(), part.getValue()));
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    /** NOTIFY is sent where it cannot be left out: no session listens. */
    private static Optional<Finding> replaceable(Place place, String kind, String tag) {
        return place == Place.TEXT && !kind.equals("NotifyStmt")
                ? Optional.of(Finding.statement(
                        tag + " in a constant that is executed, or in a function in SQL",
                        "Write it directly, without EXECUTE and quotes: as a statement of the script, of a DO block or of a"
                                + " function in plpgsql."))
                : Optional.empty();
    }

    private static Optional<Finding> blocks(ReadStatement read) {
        return read.blocks().stream().anyMatch(FunctionBody::controlsTransaction)
                ? Optional.of(ForbiddenStatements.of("TransactionStmt"))
                : Optional.empty();
    }

    private Optional<Finding> declared(ReadStatement read) {
        return read.declared().stream()
                .flatMap(type -> QualifiedName.ofVariable(type, scope).stream())
                .findFirst();
    }

    private Optional<Finding> inside(ReadStatement read, Place place) {
        Place inner = place == Place.SCRIPT && !read.blocks().isEmpty() ? Place.BODY : Place.TEXT;
        Iterator<ReadStatement> embedded = read.embedded().iterator();
        while (embedded.hasNext()) {
            Optional<Finding> finding = judge(embedded.next(), inner);
            if (finding.isPresent()) {
                Finding found = finding.get();
                return Optional.of(new Finding(found.code(), found.what(), found.hint(), Finding.NOWHERE));
            }
        }
        return Optional.empty();
    }
}
