package svc.catalog.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.catalog.Table;
import svc.catalog.TestingSchema;

/** Very long comments, defaults and views are truncated in the cache. */
class LongTextsTest {
    private static final int CUT = 65_536;

    @Test
    void longTextsAreCutOff() {
        try (var schema = new TestingSchema("longtext", """
                CREATE TABLE a (id int PRIMARY KEY, text text);
                DO $$ BEGIN
                    EXECUTE format('COMMENT ON TABLE a IS %L', repeat('x', 25000000));
                    EXECUTE format('ALTER TABLE a ALTER text SET DEFAULT %L', repeat('y', 5000000));
                    EXECUTE format('CREATE VIEW v AS SELECT id, %L::text AS t FROM a', repeat('z', 5000000));
                    EXECUTE 'CREATE VIEW w AS SELECT id FROM a';
                END $$""")) {
            Table table = schema.table("a");
            assertThat(table.description().orElseThrow()).hasSize(CUT);
            assertThat(table.column("text").orElseThrow().defaultValue().orElseThrow())
                    .hasSize(CUT);
            assertThat(schema.table("v").columns()).hasSize(2);
            assertThat(schema.table("v").primaryKey()).isEmpty();
            assertThat(schema.table("w").primaryKey()).containsExactly("id");
        }
    }

    /** A table has 1,600 columns at most, each with a comment and a default; all of them are one row of the catalog. */
    @Test
    void manyLongTextsTakeAPartOfTheCacheAndNotAll() {
        try (var schema = new TestingSchema("manytext", """
                DO $$ BEGIN
                    FOR t IN 1..8 LOOP
                        EXECUTE format('CREATE TABLE t%s (%s)', t,
                            (SELECT string_agg(format('c%s text DEFAULT %L', i, repeat('d', 20000)), ',')
                                FROM generate_series(1, 100) i));
                        FOR i IN 1..100 LOOP
                            EXECUTE format('COMMENT ON COLUMN t%s.c%s IS %L', t, i, repeat(chr(1080), 20000));
                        END LOOP;
                    END LOOP;
                    EXECUTE 'CREATE TABLE later (id int DEFAULT 7)';
                END $$""")) {
            int kept = schema.schema().tables().stream()
                    .flatMap(table -> table.columns().stream())
                    .flatMap(column -> Stream.of(column.description(), column.defaultValue()))
                    .mapToInt(text -> text.map(String::length).orElse(0))
                    .sum();

            assertThat(schema.table("t1").columns()).hasSize(100);
            assertThat(kept).isBetween(1_000_000, 8 * 1024 * 1024);
            assertThat(schema.schema().estimatedBytes()).isLessThan(32 * 1024 * 1024);
        }
    }
}
