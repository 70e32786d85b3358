package svc.api.db.owner;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps the rows of the last statement that returned any, within the limits; the rest is counted as cut. */
final class RowCollector {
    /** What a row and a value cost on the heap beside their bytes. */
    private static final int ROW_COST = 64;

    private static final int VALUE_COST = 24;

    private final RunLimits limits;
    private List<ResultRows.Column> columns;
    private List<byte[][]> rows = List.of();
    private long bytes;
    private boolean cut;

    RowCollector(RunLimits limits) {
        this.limits = limits;
    }

    /** A RowDescription: another statement begins to return rows. */
    void begin(byte[] description) {
        ByteBuffer content = ByteBuffer.wrap(description);
        int count = content.getShort();
        columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int start = content.position();
            while (content.get() != 0) {
                continue;
            }
            String name = new String(description, start, content.position() - 1 - start, StandardCharsets.UTF_8);
            content.getInt();
            content.getShort();
            columns.add(new ResultRows.Column(name, content.getInt()));
            content.getShort();
            content.getInt();
            content.getShort();
        }
        rows = new ArrayList<>();
        bytes = 0;
        cut = false;
    }

    /** Whether a row of this length still fits; when not, the result is cut here. */
    boolean fits(int length) {
        bytes += length + ROW_COST + (long) VALUE_COST * (columns == null ? 0 : columns.size());
        cut = cut || rows.size() >= limits.rows() || bytes > limits.bytes();
        return !cut;
    }

    /** A DataRow. */
    void add(byte[] row) {
        ByteBuffer content = ByteBuffer.wrap(row);
        byte[][] values = new byte[content.getShort()][];
        for (int i = 0; i < values.length; i++) {
            int length = content.getInt();
            if (length >= 0) {
                values[i] = new byte[length];
                content.get(values[i]);
            }
        }
        rows.add(values);
    }

    Optional<ResultRows> result() {
        return Optional.ofNullable(columns).map(known -> new ResultRows(known, rows, cut));
    }
}
