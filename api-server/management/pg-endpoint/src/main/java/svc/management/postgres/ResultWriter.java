package svc.management.postgres;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.postgres.Answers.ColumnFormat;
import svc.management.postgres.value.BinaryValues;
import svc.management.postgres.value.WireType;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ResultRows.Column;
import svc.postgres.script.StatementResult;

/** Writes rows in the formats that a client has asked for. */
final class ResultWriter {
    private final Answers answers;

    ResultWriter(Answers answers) {
        this.answers = answers;
    }

    /**
     * Writes the results of a Query message, in the text format.
     *
     * @return false if rows of one are missing: an error stands for its end, and for all behind it
     */
    boolean all(List<StatementResult> all) throws IOException {
        if (all.isEmpty()) {
            answers.plain('I');
        }
        for (StatementResult result : all) {
            if (result.rows().isPresent()) {
                ResultRows rows = result.rows().get();
                List<ColumnFormat> columns = asText(rows.columns());
                answers.rowDescription(columns);
                rows(columns, rows, 0, rows.rows().size());
            }
            Optional<ErrorAnswer> missing = missingRows(result);
            if (missing.isPresent()) {
                answers.error(missing.get());
                return false;
            }
            answers.commandComplete(result.tag());
        }
        return true;
    }

    /** All columns as text. */
    static List<ColumnFormat> asText(List<Column> columns) {
        return formats(columns, List.of());
    }

    /**
     * @param wanted none, one for all, or one for each column: 0 text, 1 binary
     * @throws ProblemException for another number of formats than of columns
     */
    static List<ColumnFormat> formats(List<Column> columns, List<Integer> wanted) {
        if (wanted.size() > 1 && wanted.size() != columns.size()) {
            throw Problem.of(
                            ProblemCode.SQL_PARAMETERS_INVALID,
                            "The portal has " + wanted.size() + " result formats for " + columns.size() + " columns.")
                    .with("sqlstate", "08P01")
                    .asException();
        }
        List<ColumnFormat> formats = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            boolean binary = !wanted.isEmpty() && wanted.get(wanted.size() == 1 ? 0 : i) == 1;
            formats.add(new ColumnFormat(column.name(), column.typeOid(), origin(column), binary));
        }
        return formats;
    }

    private static ResultRows.Origin origin(Column column) {
        return column.origin().equals(ResultRows.Origin.NONE)
                ? new ResultRows.Origin(0, 0, WireType.length(column.typeOid()), -1)
                : column.origin();
    }

    private static ProblemException notBinary(String column) {
        return Problem.of(
                        ProblemCode.SQL_PARAMETERS_INVALID,
                        "The column " + column + " cannot be sent in the binary format.")
                .withHint("Ask for text, or cast the column to text.")
                .with("sqlstate", "0A000")
                .asException();
    }

    /** Whether rows were left out, so that the statement must not look complete. */
    static Optional<ErrorAnswer> missingRows(StatementResult result) {
        return result.rows().filter(ResultRows::cut).isPresent()
                ? Optional.of(ErrorAnswer.error(
                        "54000",
                        "the result is larger than one answer may be: only its first "
                                + result.rows().get().rows().size() + " rows were sent",
                        "Select fewer columns, or use LIMIT and OFFSET. What a statement outside of a transaction changed"
                                + " stays changed."))
                : Optional.empty();
    }

    /** Rows from {@code from} up to {@code end}. */
    void rows(List<ColumnFormat> columns, ResultRows rows, int from, int end) throws IOException {
        // The server has written its rows as they were asked for; those that are made here are text.
        boolean binary = rows.formats().isEmpty() && columns.stream().anyMatch(ColumnFormat::binary);
        for (byte[][] row : rows.rows().subList(from, end)) {
            answers.dataRow(binary ? inFormat(columns, row) : row);
        }
    }

    private static byte[][] inFormat(List<ColumnFormat> columns, byte[][] row) {
        byte[][] values = new byte[row.length][];
        for (int i = 0; i < row.length; i++) {
            ColumnFormat column = columns.get(i);
            values[i] = row[i] == null || !column.binary()
                    ? row[i]
                    : BinaryValues.encode(column.typeOid(), row[i]).orElseThrow(() -> notBinary(column.name()));
        }
        return values;
    }
}
