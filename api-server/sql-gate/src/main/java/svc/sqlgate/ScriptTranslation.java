package svc.sqlgate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.SqlFragment;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.script.Replacement;
import svc.sqlgate.translation.BodyEdits;
import svc.sqlgate.translation.Rewrite;
import svc.sqlgate.translation.TakenRoles;
import svc.sqlgate.translation.TransactionPairs;
import svc.sqlgate.translation.Translator;

/**
 * The replacements in a script that was judged, collected statement by statement. Each statement stays one statement, so
 * that the server's results are as many as the caller's statements and in their order.
 */
final class ScriptTranslation {
    private static final String NOTHING = "DO 'BEGIN END'";

    private final Translator translator;
    private final TakenRoles roles;
    private final List<Replacement> edits = new ArrayList<>();
    private final Map<Integer, String> tags = new HashMap<>();

    ScriptTranslation(Translator translator, TakenRoles roles) {
        this.translator = translator;
        this.roles = roles;
    }

    /** Replacements in the text that was read. */
    List<Replacement> edits() {
        return edits;
    }

    /** PostgreSQL's command tags of statements that something else is sent for, by number. */
    Map<Integer, String> tags() {
        return tags;
    }

    /** Half of a pair of BEGIN and COMMIT. */
    void leaveOut(Statement statement) {
        String tag = TransactionPairs.tag(statement);
        String sent = tag.equals(TransactionPairs.COMMIT)
                ? roles.atCommit().map(SqlFragment::sql).orElse(NOTHING)
                : NOTHING;
        replace(statement, sent, tag);
    }

    Optional<Finding> add(ReadStatement read) {
        Statement statement = read.statement();
        roles.follow(statement);
        switch (translator.of(statement)) {
            case Rewrite.Nothing nothing -> replace(statement, NOTHING, nothing.tag());
            case Rewrite.Instead instead ->
                replace(statement, instead.sql().sql().strip(), instead.tag());
            case Rewrite.AsIs same -> {
                return read.blocks().isEmpty() ? Optional.empty() : body(read);
            }
            case Rewrite.Refused refused -> throw new IllegalStateException("a refused statement was admitted");
        }
        return Optional.empty();
    }

    private Optional<Finding> body(ReadStatement read) {
        Optional<List<Replacement>> inBody = BodyEdits.of(
                read.statement(), read.embedded().map(ReadStatement::statement).toList(), translator);
        inBody.ifPresent(edits::addAll);
        return inBody.isPresent()
                ? Optional.empty()
                : Optional.of(Finding.statement(
                        "a statement that the platform replaces, in a body between single quotes",
                        "Write the body between $$ and $$."));
    }

    private void replace(Statement statement, String sent, String tag) {
        edits.add(new Replacement(statement.location(), statement.location() + statement.length(), sent));
        tags.put(statement.number(), tag);
    }
}
