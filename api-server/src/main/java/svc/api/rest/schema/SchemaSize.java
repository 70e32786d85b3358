package svc.api.rest.schema;

/** Sizes on a 64-bit JVM with compressed references, in bytes: object headers and fields, rounded up. */
final class SchemaSize {
    private static final long SCHEMA = 600;
    private static final long TABLE = 200;
    private static final long COLUMN = 56;
    private static final long TEXT = 48;

    private SchemaSize() {}

    static long of(ProjectSchema schema) {
        long bytes = SCHEMA;
        for (Table table : schema.tables()) {
            bytes += TABLE + TEXT + table.name().length();
            for (Table.Column column : table.columns()) {
                bytes += COLUMN + TEXT + column.name().length();
            }
            bytes += table.primaryKey().size() * 4L;
        }
        return bytes;
    }
}
