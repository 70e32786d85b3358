package svc.postgres.script;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import svc.postgres.script.ScriptRun.Results;
import svc.postgres.wire.DataRow;

/**
 * Collects the result of a script up to the limits, and records that it was cut. A script decides what is sent, so
 * everything that is kept counts: descriptions of columns as well as rows.
 */
final class RowCollector {
    /** Heap overhead of a row, a value and a column beside their bytes. */
    private static final int ROW_COST = 64;

    private static final int VALUE_COST = 24;
    private static final int COLUMN_COST = 96;
    private static final int NUL = 1;
    private static final int FORMAT = 2;

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
        private final List<Integer> formats;
        private boolean cut;

        Rows(List<ResultRows.Column> columns, List<Integer> formats, boolean cut) {
            this.columns = columns;
            this.formats = formats;
            this.cut = cut;
        }

        ResultRows result() {
            return new ResultRows(columns, rows, cut, formats);
        }

        boolean isText(int column) {
            return formats.isEmpty() || formats.get(formats.size() == 1 ? 0 : column) == 0;
        }
    }

    /** A RowDescription: another statement begins to return rows. */
    void begin(ByteBuf description) {
        int length = description.readableBytes();
        begin(description.getUnsignedShort(description.readerIndex()), length, List.of(), () -> columns(description));
    }

    /**
     * The same for a statement that was described before.
     *
     * @param formats in which its rows were asked for, as a Bind message has them
     */
    void begin(List<ResultRows.Column> columns, List<Integer> formats) {
        int length = columns.stream().mapToInt(column -> column.name().length()).sum();
        begin(columns.size(), length, formats, () -> columns);
    }

    private void begin(int count, int length, List<Integer> formats, Supplier<List<ResultRows.Column>> columns) {
        if (results == Results.LAST) {
            statements.replaceAll(statement -> new StatementResult(statement.tag(), Optional.empty()));
            rows = 0;
            bytes = 0;
        }
        bytes += length + (long) COLUMN_COST * count;
        boolean fits = bytes <= limits.bytes();
        current = Optional.of(new Rows(fits ? columns.get() : List.of(), formats, !fits));
    }

    /** The columns of a RowDescription. */
    static List<ResultRows.Column> columns(ByteBuf description) {
        int count = description.readUnsignedShort();
        List<ResultRows.Column> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = description
                    .readCharSequence(description.bytesBefore((byte) 0), StandardCharsets.UTF_8)
                    .toString();
            description.skipBytes(NUL);
            int table = description.readInt();
            int place = description.readShort();
            int type = description.readInt();
            int length = description.readShort();
            int modifier = description.readInt();
            description.skipBytes(FORMAT);
            columns.add(new ResultRows.Column(name, type, new ResultRows.Origin(table, place, length, modifier)));
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
    void add(ByteBuf row) {
        byte[][] values = DataRow.read(row);
        Rows open = current.orElseThrow();
        for (int i = 0; i < values.length && !unreadable; i++) {
            unreadable = values[i] != null && open.isText(i) && !isUtf8(values[i]);
        }
        open.rows.add(values);
        rows++;
    }

    /**
     * Whether a value was not UTF-8: a script can change its session's encoding and revert it before the server would
     * report that.
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
