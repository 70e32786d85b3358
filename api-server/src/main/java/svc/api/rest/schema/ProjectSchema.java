package svc.api.rest.schema;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * A project's tables as they were at one version of its schema.
 *
 * @param version of the row that each DDL changes; opaque, to be compared only
 */
public record ProjectSchema(String version, Map<String, Table> tables) {
    /** PostgREST suggests names that are three quarters alike. */
    private static final double ALIKE = 0.75;

    /** More tables than this are not searched for a suggestion: an error must not cost more than an answer. */
    private static final int SEARCHED = 1_000;

    // Sizes of a 64-bit JVM with compressed references: object header and fields, rounded up.
    private static final int PER_SCHEMA = 200;
    private static final int PER_TABLE = 160;
    private static final int PER_COLUMN = 32;
    private static final int PER_STRING = 48;

    public ProjectSchema {
        tables = Map.copyOf(tables);
    }

    public Optional<Table> table(String name) {
        return Optional.ofNullable(tables.get(name));
    }

    /** The name of a table that a caller may have meant. */
    public Optional<String> similar(String name) {
        if (tables.size() > SEARCHED) {
            return Optional.empty();
        }
        return tables.keySet().stream()
                .filter(known -> likeness(known, name) >= ALIKE)
                .max(Comparator.comparingDouble((String known) -> likeness(known, name))
                        .thenComparing(Comparator.reverseOrder()));
    }

    /** About how many bytes of heap this takes; names of the server's own types are shared and not counted. */
    int estimatedBytes() {
        long bytes = PER_SCHEMA;
        for (Table table : tables.values()) {
            bytes += PER_TABLE + PER_STRING + table.name().length();
            for (Table.Column column : table.columns()) {
                bytes += PER_COLUMN + PER_STRING + column.name().length();
            }
            bytes += table.primaryKey().size() * 4L;
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /** 1 for the same text, 0 for nothing in common: how much of the longer one need not be edited. */
    private static double likeness(String one, String other) {
        int longest = Math.max(one.length(), other.length());
        if (Math.abs(one.length() - other.length()) > longest * (1 - ALIKE) || longest > 63) {
            return 0;
        }
        int[] above = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return 1 - (double) above[other.length()] / longest;
    }
}
