package svc.management.postgres;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.migration.HistoryCalls;
import svc.management.migration.HistoryCalls.Entry;
import svc.management.migration.HistoryChange;
import svc.management.query.AuthorizedCall;
import svc.management.query.SessionTransaction;
import svc.management.query.result.ArrayText;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ResultRows.Column;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.StatementResult;

/** Answers {@link HistoryStatement}s from the history of the Management API. */
@ApplicationScoped
class HistoryAnswers {
    private static final int TEXT = 25;
    private static final int TEXT_ARRAY = 1009;
    private static final int BOOL = 16;
    private static final int MAX_VERSIONS = 500;

    /** Of the texts of one answer, as of the rows of a script. */
    private static final long MAX_BYTES = 8L << 20;

    private static final int OBJECT_COST = 64;

    /** Between the statements of a migration, each of which may end in a comment. */
    static final String SEPARATOR = "\n;\n";

    private final HistoryCalls calls;

    HistoryAnswers(HistoryCalls calls) {
        this.calls = calls;
    }

    /**
     * A change of the history.
     *
     * @param text of the migration; empty for versions that are forgotten
     */
    record Change(HistoryStatement kind, List<String> versions, String name, String text) {
        /** Memory that it takes while it waits for the end of its transaction. */
        long bytes() {
            return OBJECT_COST
                    + 2L * (name.length() + text.length())
                    + versions.stream()
                            .mapToLong(version -> OBJECT_COST + 2L * version.length())
                            .sum();
        }

        HistoryChange asHistory() {
            return kind == HistoryStatement.REVERT
                    ? new HistoryChange.Reverted(versions)
                    : new HistoryChange.Recorded(versions.getFirst(), name, text);
        }

        String tag() {
            return kind == HistoryStatement.REVERT ? "DELETE " + versions.size() : "INSERT 0 1";
        }
    }

    /** @throws ProblemException for values that are none of these */
    static Change change(HistoryStatement kind, List<? extends ScriptParameter> values) {
        List<Integer> types = kind.parameterTypes();
        if (values.size() != types.size()) {
            throw Problem.of(ProblemCode.SQL_PARAMETERS_INVALID, "The statement takes " + types.size() + " parameters.")
                    .with("sqlstate", "08P01")
                    .asException();
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            texts.add(values.get(i)
                    .text(types.get(i) == TEXT_ARRAY ? "text[]" : "text")
                    .orElse(""));
        }
        if (kind == HistoryStatement.REVERT) {
            List<String> versions = array(texts.getFirst());
            if (versions.size() > MAX_VERSIONS) {
                throw invalid();
            }
            return new Change(kind, versions, "", "");
        }
        return new Change(kind, List.of(texts.getFirst()), texts.get(1), String.join(SEPARATOR, array(texts.get(2))));
    }

    private static List<String> array(String text) {
        try {
            return (text.isEmpty() ? List.<Object>of() : ArrayText.read(text, ','))
                    .stream().map(String::valueOf).toList();
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    private static ProblemException invalid() {
        return Problem.of(
                        ProblemCode.SQL_PARAMETERS_INVALID,
                        "A parameter is not an array of texts, or has more than " + MAX_VERSIONS + " versions.")
                .with("sqlstate", "22P02")
                .asException();
    }

    void migrate(AuthorizedCall authorized, String version, String name) {
        calls.apply(authorized, version, name);
    }

    /** @throws ProblemException if a change cannot be made as the history is now */
    void judge(AuthorizedCall authorized, Change change) {
        calls.judge(authorized, change.asHistory());
    }

    /** Makes a change at once. */
    StatementResult apply(AuthorizedCall authorized, Change change) {
        int reverted = calls.change(authorized, List.of(change.asHistory()));
        return new StatementResult(
                change.kind() == HistoryStatement.REVERT ? "DELETE " + reverted : change.tag(), Optional.empty());
    }

    /**
     * Makes changes together with the statements of a transaction, and ends it: all of it or nothing.
     *
     * @throws ProblemException if nothing was committed, unless the outcome is not known
     */
    void commit(AuthorizedCall authorized, List<Change> changes, SessionTransaction transaction) {
        List<HistoryChange> all = changes.stream().map(Change::asHistory).toList();
        Optional<String> number = transaction.number(authorized);
        if (number.isPresent()) {
            calls.changeWith(authorized, all, number.get(), () -> transaction.commit(authorized));
        } else {
            calls.change(authorized, all);
        }
    }

    /** Empty for a statement that returns no rows. */
    static Optional<List<Column>> columns(HistoryStatement asked) {
        return switch (asked) {
            case PROVISIONED -> Optional.of(List.of(new Column("provisioned", BOOL)));
            case VERSIONS -> Optional.of(List.of(new Column("version", TEXT)));
            case ENTRIES ->
                Optional.of(List.of(
                        new Column("version", TEXT), new Column("name", TEXT), new Column("statements", TEXT_ARRAY)));
            default -> Optional.empty();
        };
    }

    StatementResult read(AuthorizedCall authorized, HistoryStatement asked) {
        Tenant tenant = authorized.tenant();
        List<byte[][]> rows = new ArrayList<>();
        switch (asked) {
            case PROVISIONED -> rows.add(row("t"));
            case VERSIONS -> calls.applied(tenant).forEach(entry -> rows.add(row(entry.version())));
            case ENTRIES -> {
                long bytes = 0;
                for (Entry entry : calls.applied(tenant)) {
                    byte[][] row = row(entry.version(), entry.name(), one(calls.text(tenant, entry)));
                    bytes += row[2].length;
                    if (bytes > MAX_BYTES) {
                        throw HistoryCalls.tooLarge();
                    }
                    rows.add(row);
                }
            }
            default -> {
                return new StatementResult("CREATE TABLE", Optional.empty());
            }
        }
        return new StatementResult(
                "SELECT " + rows.size(),
                Optional.of(new ResultRows(columns(asked).orElseThrow(), rows, false)));
    }

    private static String one(String text) {
        return text.isEmpty() ? "{}" : "{\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}";
    }

    private static byte[][] row(String... values) {
        byte[][] row = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            row[i] = values[i].getBytes(StandardCharsets.UTF_8);
        }
        return row;
    }
}
