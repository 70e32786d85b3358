package svc.postgres.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import svc.database.sql.SqlTemplate;
import svc.postgres.wire.ClientMessages.BoundBytes;

/**
 * Sends the text of a run: a script as one Query message, a statement with parameters by the extended protocol, after the
 * server has described their types.
 */
final class ScriptSender {
    /** The names of types by their numbers, in the order of these. */
    private static final SqlTemplate TYPE_NAMES = SqlTemplate.of("""
        SELECT pg_catalog.format_type(t.oid, NULL)
        FROM pg_catalog.unnest(:'oids'::pg_catalog.oid[]) WITH ORDINALITY AS t (oid, place) ORDER BY t.place\
        """);

    private final OwnerSession session;
    private final ScriptRun run;

    ScriptSender(OwnerSession session, ScriptRun run) {
        this.session = session;
        this.run = run;
    }

    /** The result of the script's own message: an outcome when the run ends with it. */
    record Sent(Optional<ScriptOutcome> outcome, boolean inTransaction, boolean idle) {
        static Sent of(OwnerSession.Reply reply, RowCollector rows) {
            // Those before it have all been answered.
            Optional<Integer> next = Optional.of(rows.statements().size() + 1);
            return new Sent(reply.error().map(error -> error.outcome(next)), reply.inTransaction(), reply.idle());
        }

        static Sent over(ScriptOutcome outcome) {
            return new Sent(Optional.of(outcome), false, false);
        }
    }

    Sent send(RowCollector rows) throws IOException, InternalQuery.RefusedException {
        if (!run.isBound()) {
            return Sent.of(session.query(run.sql(), rows, run.copy()), rows);
        }
        OwnerSession.Description description = session.describe(run.sql(), declaredTypes());
        if (description.error().isPresent()) {
            return Sent.over(description.error().get().outcome(Optional.empty()));
        }
        if (!session.settings().readsAsJudged()) {
            // Reading a constant may have run code of the project's, and the statement is now sent once more.
            return Sent.over(new ScriptOutcome.Unreadable());
        }
        OptionalInt other = mismatch(description);
        if (other.isPresent()) {
            return Sent.over(new ScriptOutcome.ParameterMismatch(other.getAsInt()));
        }
        return Sent.of(session.execute(run, description, values(description.parameterTypes()), rows), rows);
    }

    /** Up to the last that is declared: a type for a parameter that the statement does not have would be an error of its own. */
    private List<Integer> declaredTypes() {
        List<Integer> types = new ArrayList<>(
                run.parameters().stream().map(ScriptParameter::typeOid).toList());
        while (!types.isEmpty() && types.getLast() == 0) {
            types.removeLast();
        }
        return types;
    }

    private OptionalInt mismatch(OwnerSession.Description description) {
        int takes = description.parameterTypes().size();
        return takes == run.parameters().size() ? OptionalInt.empty() : OptionalInt.of(takes);
    }

    private List<BoundBytes> values(List<Integer> types) throws IOException, InternalQuery.RefusedException {
        List<BoundBytes> values = new ArrayList<>();
        for (ScriptParameter parameter : run.parameters()) {
            values.add(new BoundBytes(true, parameter.binary().orElse(null)));
        }
        if (values.stream().allMatch(value -> value.bytes() != null)) {
            return values;
        }
        List<List<String>> names =
                InternalQuery.ask(session, TYPE_NAMES.bind(Map.of("oids", TypeCatalog.array(types))));
        for (int i = 0; i < types.size(); i++) {
            if (values.get(i).bytes() == null) {
                Optional<String> text =
                        run.parameters().get(i).text(names.get(i).getFirst());
                values.set(
                        i,
                        new BoundBytes(
                                false,
                                text.map(value -> value.getBytes(StandardCharsets.UTF_8))
                                        .orElse(null)));
            }
        }
        return values;
    }
}
