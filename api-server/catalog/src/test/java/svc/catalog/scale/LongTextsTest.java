package svc.catalog.scale;

import static org.assertj.core.api.Assertions.assertThat;

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
}
