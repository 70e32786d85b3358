package svc.postgres.script;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.postgres.script.ScriptRun.Results;

/**
 * Keeps what a script answers, within the limits; what is beyond them is counted as cut. A script decides what is sent
 * here, so everything that is kept is counted: descriptions of columns as well as rows.
 */
final class RowCollector {
    /** What a row, a value and a column cost on the heap beside their bytes. */
    private static final int ROW_COST = 64;

    private static final int VALUE_COST = 24;
    private static final int COLUMN_COST = 64;

    private final RunLimits limits;
    private final Results results;
    private final List<StatementResult> statements = new ArrayList<>();
    private Optional<Rows> current = Optional.empty();
    private int rows;
    private long bytes;
    private boolean unreadable;

    RowCollector(RunLimits limits, Results results) {
        this.limits = limits;
        this.results = results;
    }

    /** The rows of one statement while they arrive. */
    private static final class Rows {
        private final List<ResultRows.Column> columns;
        private final List<byte[][]> rows = new ArrayList<>();
        private boolean cut;

        Rows(List<ResultRows.Column> columns, boolean cut) {
            this.columns = columns;
            this.cut = cut;
        }

        ResultRows result() {
            return new ResultRows(columns, rows, cut);
        }
    }

    /** A RowDescription: another statement begins to return rows. */
    void begin(byte[] description) {
        if (results == Results.LAST) {
            statements.replaceAll(statement -> new StatementResult(statement.tag(), Optional.empty()));
            rows = 0;
            bytes = 0;
        }
        int count = ByteBuffer.wrap(description).getShort();
        bytes += description.length + (long) COLUMN_COST * count;
        boolean fits = bytes <= limits.bytes();
        current = Optional.of(new Rows(fits ? columns(ByteBuffer.wrap(description)) : List.of(), !fits));
    }

    private static List<ResultRows.Column> columns(ByteBuffer description) {
        int count = description.getShort();
        List<ResultRows.Column> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int start = description.position();
            while (description.get() != 0) {
                continue;
            }
            String name =
                    new String(description.array(), start, description.position() - 1 - start, StandardCharsets.UTF_8);
            description.getInt();
            description.getShort();
            columns.add(new ResultRows.Column(name, description.getInt()));
            description.getShort();
            description.getInt();
            description.getShort();
        }
        return columns;
    }

    /** Whether a row of this length still fits; when not, the statement's rows are cut here. */
    boolean fits(int length) {
        if (current.isEmpty()) {
            return false;
        }
        Rows open = current.get();
        bytes += length + ROW_COST + (long) VALUE_COST * open.columns.size();
        open.cut = open.cut || rows >= limits.rows() || bytes > limits.bytes();
        return !open.cut;
    }

    /** A DataRow that fits. */
    void add(byte[] row) {
        ByteBuffer content = ByteBuffer.wrap(row);
        byte[][] values = new byte[content.getShort()][];
        for (int i = 0; i < values.length; i++) {
            int length = content.getInt();
            if (length >= 0) {
                values[i] = new byte[length];
                content.get(values[i]);
                unreadable = unreadable || !isUtf8(values[i]);
            }
        }
        current.orElseThrow().rows.add(values);
        rows++;
    }

    /**
     * Whether a value came in another encoding than UTF-8: a script can change that of its session and change it back
     * before the server would tell of it.
     */
    boolean unreadable() {
        return unreadable;
    }

    private static boolean isUtf8(byte[] value) {
        for (byte b : value) {
            if (b < 0) {
                return decodes(value);
            }
        }
        return true;
    }

    private static boolean decodes(byte[] value) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** A CommandComplete: the statement is over. */
    void complete(String tag) {
        statements.add(new StatementResult(tag, current.map(Rows::result)));
        current = Optional.empty();
    }

    List<StatementResult> statements() {
        return List.copyOf(statements);
    }
}
