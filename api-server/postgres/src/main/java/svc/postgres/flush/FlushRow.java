package svc.postgres.flush;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The one row of a flush's main query, as PostgreSQL wrote it: UTF-8 text of each column, by position from zero. */
public final class FlushRow {
    private final byte[][] columns;

    FlushRow(byte[][] columns) {
        this.columns = columns;
    }

    /** The bytes of a column; empty for null. The array is the caller's to pass on, not to change. */
    public Optional<byte[]> bytes(int column) {
        return Optional.ofNullable(columns[column]);
    }

    public Optional<String> text(int column) {
        return bytes(column).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** A column that is a number and not null. */
    public long number(int column) {
        return Long.parseLong(new String(requireNonNull(columns[column]), StandardCharsets.US_ASCII));
    }
}
