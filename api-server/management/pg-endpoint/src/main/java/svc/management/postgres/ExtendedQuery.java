package svc.management.postgres;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import svc.management.postgres.Answers.ColumnFormat;
import svc.management.postgres.PreparedStatements.Portal;
import svc.management.postgres.PreparedStatements.Prepared;
import svc.management.postgres.value.BoundValue;
import svc.management.postgres.value.WireType;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ResultRows.Column;
import svc.postgres.script.StatementDescription;
import svc.postgres.script.StatementResult;

/** The extended query protocol of one session: batches of messages, each up to a Sync or a Flush. */
final class ExtendedQuery {
    private final SessionStatements statements;
    private final PreparedStatements prepared;
    private final Answers answers;
    private final ResultWriter results;
    private final CopyRows copied;
    private final Function<Problem, ErrorAnswer> errors;

    /** After an error everything up to the next Sync is skipped. */
    private boolean skipping;

    /** @param errors the answers to problems */
    ExtendedQuery(
            SessionStatements statements,
            PreparedStatements prepared,
            Answers answers,
            CopyRows copied,
            Function<Problem, ErrorAnswer> errors) {
        this.statements = statements;
        this.prepared = prepared;
        this.answers = answers;
        this.results = new ResultWriter(answers);
        this.copied = copied;
        this.errors = errors;
    }

    /** Whether everything up to the next Sync is ignored. */
    boolean skipping() {
        return skipping;
    }

    /**
     * Runs a batch.
     *
     * @param sync whether it ends with a Sync
     * @return the problem that ended it
     */
    Optional<Problem> run(List<ClientMessage> batch, boolean sync) throws IOException, ProtocolException {
        Optional<Problem> problem = Optional.empty();
        if (!skipping) {
            try {
                steps(batch, sync);
                if (sync && !skipping) {
                    statements.sync();
                }
            } catch (ProblemException e) {
                problem = Optional.of(e.problem());
                statements.abort();
                answers.error(errors.apply(e.problem()));
                skipping = true;
            }
        }
        if (sync && !copied.tookRows()) {
            skipping = false;
        }
        return problem;
    }

    private void steps(List<ClientMessage> batch, boolean sync) throws IOException, ProtocolException {
        Optional<MigrationBatch> migration =
                sync && statements.status() == 'I' ? MigrationBatch.of(batch) : Optional.empty();
        if (migration.isPresent()) {
            migrate(migration.get());
            return;
        }
        boolean alone =
                sync && batch.stream().filter(message -> message.type() == 'E').count() == 1;
        for (int i = 0; i < batch.size() && !skipping; i++) {
            ClientMessage message = batch.get(i);
            switch (message.type()) {
                case 'P' -> parse(message.fields());
                case 'B' -> bind(message.fields());
                case 'D' ->
                    describe(message.fields(), i + 1 < batch.size() ? Optional.of(batch.get(i + 1)) : Optional.empty());
                case 'E' -> execute(message.fields(), alone);
                default -> close(message.fields());
            }
        }
    }

    private void parse(Fields fields) throws IOException, ProtocolException {
        String name = fields.text();
        String sql = fields.text();
        int count = fields.int16();
        List<Integer> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int type = fields.int32();
            types.add(WireType.declarable(type) ? type : 0);
        }
        prepared.prepare(name, sql, types);
        answers.plain('1');
    }

    private void bind(Fields fields) throws IOException, ProtocolException {
        String name = fields.text();
        Prepared statement = prepared.statement(fields.text());
        prepared.bind(name, portal(statement, fields));
        answers.plain('2');
    }

    /** The rest of a Bind message. */
    static Portal portal(Prepared statement, Fields fields) throws ProtocolException {
        List<Integer> formats = formats(fields);
        int count = fields.int16();
        if (formats.size() > 1 && formats.size() != count) {
            throw ProtocolException.violation("Bind has another number of formats than of values");
        }
        List<BoundValue> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean binary = !formats.isEmpty() && formats.get(formats.size() == 1 ? 0 : i) == 1;
            int length = fields.int32();
            byte[] bytes = length == -1 ? null : fields.bytes(length);
            if (bytes != null && !binary && Fields.utf8(bytes).indexOf('\0') >= 0) {
                throw Problem.of(ProblemCode.SQL_PARAMETERS_INVALID, "A text has a NUL.")
                        .with("sqlstate", "22021")
                        .asException();
            }
            values.add(new BoundValue(i < statement.types.size() ? statement.types.get(i) : 0, binary, bytes));
        }
        return new Portal(statement, values, formats(fields));
    }

    private static List<Integer> formats(Fields fields) throws ProtocolException {
        int count = fields.int16();
        List<Integer> formats = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int format = fields.int16();
            if (format > 1) {
                throw ProtocolException.violation("a format is neither text nor binary");
            }
            formats.add(format);
        }
        return formats;
    }

    private void describe(Fields fields, Optional<ClientMessage> next) throws IOException, ProtocolException {
        char what = fields.letter();
        String name = fields.text();
        if (what == 'S') {
            StatementDescription found = description(prepared.statement(name));
            answers.parameterDescription(found.parameterTypes());
            describe(found.columns().map(ResultWriter::asText));
            return;
        }
        if (!name.isEmpty() && !prepared.hasPortal(name)) {
            describe(Optional.of(ResultWriter.asText(statements.describeCursor(name))));
            return;
        }
        Portal portal = prepared.portal(name);
        if (LocalStatement.copies(portal.statement.sql)) {
            answers.plain('n');
            return;
        }
        portal.described = true;
        // An Execute that follows answers with the columns of its rows.
        if (next.isEmpty()
                || next.get().type() != 'E'
                || !next.get().fields().text().equals(name)) {
            Optional<List<Column>> columns = portal.result.isPresent()
                    ? portal.rows().map(ResultRows::columns)
                    : description(portal.statement).columns();
            describe(columns.map(list -> ResultWriter.formats(list, portal.formats)));
        }
    }

    private void describe(Optional<List<ColumnFormat>> columns) throws IOException {
        if (columns.isPresent()) {
            answers.rowDescription(columns.get());
        } else {
            answers.plain('n');
        }
    }

    private StatementDescription description(Prepared statement) {
        if (statement.description.isPresent()) {
            return statement.description.get();
        }
        StatementDescription description = statements.describe(statement.sql, statement.types);
        prepared.keep(statement, description);
        return description;
    }

    private void execute(Fields fields, boolean alone) throws IOException, ProtocolException {
        String name = fields.text();
        int most = fields.int32();
        Portal portal = prepared.portal(name);
        boolean first = portal.result.isEmpty();
        if (first) {
            List<StatementResult> ran = run(portal, alone);
            if (ran.isEmpty()) {
                if (portal.described) {
                    answers.plain('n');
                }
                answers.plain('I');
                return;
            }
            portal.result = Optional.of(ran.getFirst());
        }
        StatementResult result = portal.result.orElseThrow();
        Optional<ResultRows> rows = portal.rows();
        List<ColumnFormat> formats =
                rows.isPresent() ? ResultWriter.formats(rows.get().columns(), portal.formats) : List.of();
        if (first && portal.described) {
            describe(rows.map(any -> formats));
        }
        if (rows.isPresent() && suspends(portal, rows.get(), formats, most)) {
            answers.plain('s');
            return;
        }
        Optional<ErrorAnswer> missing = ResultWriter.missingRows(result);
        prepared.finish(portal);
        if (missing.isPresent()) {
            answers.error(missing.get());
            statements.abort();
            skipping = true;
        } else {
            answers.commandComplete(result.tag());
        }
    }

    /** Before the statement runs: PostgreSQL does not see it, and would refuse a wrong number of formats. */
    private void requireFormats(Portal portal) {
        description(portal.statement).columns().ifPresent(columns -> ResultWriter.formats(columns, portal.formats));
    }

    private List<StatementResult> run(Portal portal, boolean alone) {
        LocalStatement.of(portal.statement.sql, false).ifPresent(prepared::deallocate);
        if (HistoryStatement.of(portal.statement.sql).isPresent()) {
            requireFormats(portal);
        }
        return statements.run(
                new SessionStatements.Sent(portal.statement.sql, portal.values, true, alone, portal.formats));
    }

    /** Sends rows; whether some are left for the next run of the portal. */
    private boolean suspends(Portal portal, ResultRows rows, List<ColumnFormat> formats, int most) throws IOException {
        int all = rows.rows().size();
        int end = most > 0 && most < all - portal.sent ? portal.sent + most : all;
        if (end < all) {
            prepared.hold(portal);
        }
        results.rows(formats, rows, portal.sent, end);
        portal.sent = end;
        return end < all;
    }

    private void close(Fields fields) throws IOException, ProtocolException {
        if (fields.letter() == 'S') {
            prepared.closeStatement(fields.text());
        } else {
            prepared.closePortal(fields.text());
        }
        answers.plain('3');
    }

    private void migrate(MigrationBatch migration) throws IOException {
        int done = migration.statements().size() + 1;
        Optional<ProblemException> failed = Optional.empty();
        try {
            statements.migrate(migration.sql(), migration.version(), migration.name());
        } catch (ProblemException e) {
            failed = Optional.of(e);
            done = migration.failedStatement(e.problem());
        }
        for (int i = 0; i < done; i++) {
            answers.plain('1');
            answers.plain('2');
            answers.plain('n');
            answers.commandComplete(migration.tag(i));
        }
        if (failed.isPresent()) {
            throw migration.inStatement(failed.get().problem()).asException(failed.get());
        }
    }
}
