package svc.management.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.management.postgres.PreparedStatements.Prepared;
import svc.platform.problem.Problem;

/**
 * A batch that is a migration: statements without values, and behind them the row of the history. Applied as the Management
 * API applies one. Pure.
 *
 * @param statements as they were sent
 */
record MigrationBatch(List<String> statements, String version, String name) {
    private static final int TAG_WORDS = 2;
    private static final String POSITION = "position";

    MigrationBatch {
        statements = List.copyOf(statements);
    }

    /** Empty for any other batch. */
    static Optional<MigrationBatch> of(List<ClientMessage> batch) throws ProtocolException {
        List<ClientMessage> parses =
                batch.stream().filter(message -> message.type() == 'P').toList();
        if (parses.isEmpty() || !isHistory(parses.getLast())) {
            return Optional.empty();
        }
        List<String> statements = new ArrayList<>();
        Optional<HistoryAnswers.Change> row = Optional.empty();
        for (int i = 0; i < batch.size(); i += 4) {
            if (i + 3 >= batch.size() || !isStatement(batch, i)) {
                return Optional.empty();
            }
            Fields parse = batch.get(i).fields();
            parse.text();
            String sql = parse.text();
            Fields bind = batch.get(i + 1).fields();
            bind.text();
            bind.text();
            var portal = ExtendedQuery.portal(new Prepared(sql, List.of(), ""), bind);
            boolean last = i + 4 == batch.size();
            if (last) {
                row = Optional.of(HistoryAnswers.change(HistoryStatement.APPLIED, portal.values));
            } else if (portal.values.isEmpty()) {
                statements.add(sql);
            } else {
                return Optional.empty();
            }
        }
        return row.map(
                change -> new MigrationBatch(statements, change.versions().getFirst(), change.name()));
    }

    private static boolean isHistory(ClientMessage parse) throws ProtocolException {
        Fields fields = parse.fields();
        fields.text();
        return HistoryStatement.of(fields.text())
                .filter(HistoryStatement.APPLIED::equals)
                .isPresent();
    }

    /** Parse, Bind, Describe, Execute without names, as the command line sends each. */
    private static boolean isStatement(List<ClientMessage> batch, int at) throws ProtocolException {
        return batch.get(at).type() == 'P'
                && batch.get(at).fields().text().isEmpty()
                && batch.get(at + 1).type() == 'B'
                && batch.get(at + 1).fields().text().isEmpty()
                && batch.get(at + 2).type() == 'D'
                && batch.get(at + 2).fields().letter() == 'P'
                && batch.get(at + 3).type() == 'E'
                && batch.get(at + 3).fields().text().isEmpty();
    }

    /** The text of the migration. */
    String sql() {
        return String.join(HistoryAnswers.SEPARATOR, statements);
    }

    /** What each statement is answered with; the words it begins with stand for PostgreSQL's own tag. */
    String tag(int index) {
        if (index == statements.size()) {
            return "INSERT 0 1";
        }
        String[] words = LocalStatement.bare(statements.get(index)).split("[^A-Za-z]+", TAG_WORDS + 1);
        String first = words[0].toUpperCase(Locale.ROOT);
        return switch (first) {
            case "INSERT" -> "INSERT 0 0";
            case "UPDATE", "DELETE", "SELECT", "MERGE" -> first + " 0";
            case "CREATE", "ALTER", "DROP" ->
                words.length > 1 ? first + " " + words[1].toUpperCase(Locale.ROOT) : first;
            default -> first.isEmpty() ? "DO" : first;
        };
    }

    /** The index of the statement that a problem is of; 0 for one of the migration as a whole. */
    int failedStatement(Problem problem) {
        if (!(problem.members().get(POSITION) instanceof Integer position)) {
            return 0;
        }
        int index = 0;
        while (index + 1 < statements.size() && position > start(index + 1)) {
            index++;
        }
        return index;
    }

    /** In characters, of the migration's text. */
    private int start(int index) {
        return statements.subList(0, index).stream()
                .mapToInt(text -> text.codePointCount(0, text.length()) + HistoryAnswers.SEPARATOR.length())
                .sum();
    }

    /** The problem with its place in its own statement. */
    Problem inStatement(Problem problem) {
        return problem.members().get(POSITION) instanceof Integer position
                ? problem.with(POSITION, Math.max(1, position - start(failedStatement(problem))))
                : problem;
    }
}
