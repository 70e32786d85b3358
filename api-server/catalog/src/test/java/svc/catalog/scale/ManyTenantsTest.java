package svc.catalog.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import svc.catalog.SchemaReader;
import svc.catalog.TestingSchema;

/** The cost of a load does not grow with other tenants; measured in pages, not in time. */
class ManyTenantsTest {
    private static final int NEIGHBOURS = 40;

    @Test
    void aLoadTouchesItsOwnPagesOnly() {
        try (var schema = new TestingSchema("tenants1", """
                CREATE TABLE a (id int PRIMARY KEY, name text);
                CREATE TABLE b (id int PRIMARY KEY, a_id int REFERENCES a);
                CREATE VIEW v AS SELECT a_id FROM b;
                CREATE FUNCTION f(a) RETURNS int STABLE LANGUAGE sql AS 'SELECT 1';
                """)) {
            schema.projects().asOperator("ANALYZE");
            long alone = pages(schema);
            for (int i = 0; i < NEIGHBOURS; i++) {
                schema.projects().asOwner(schema.projects().project("neighb" + (10 + i)), """
                        DO $$ BEGIN FOR i IN 1..60 LOOP
                            EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, a text, b text, c text, d text)', i);
                            EXECUTE format('CREATE FUNCTION f%s(a int) RETURNS int LANGUAGE sql AS ''SELECT 1''', i);
                        END LOOP; END $$""");
            }
            schema.projects().asOperator("ANALYZE");
            // Indexes grow by a level now and then; a scan of one catalog alone would be hundreds of pages more.
            assertThat(pages(schema)).isLessThan(alone * 3 / 2 + 50);
        }
    }

    private static long pages(TestingSchema schema) {
        String names = "ARRAY['" + schema.tenant().names().schemaName() + "']";
        String sql = text().replaceFirst("\\?", names)
                .replaceFirst("\\?", "'{}'")
                .replace(":{version}", "NULL")
                .replace(":{roles}", "")
                .replace(":{events}", "pg_relation_is_updatable(c.oid, true)");
        // The first run fills the session's catalog caches.
        String plan = schema.projects().ask("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + sql);
        try {
            var root = new ObjectMapper().readTree(plan).at("/0/Plan");
            return root.at("/Shared Hit Blocks").longValue()
                    + root.at("/Shared Read Blocks").longValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text() {
        try (InputStream stream = SchemaReader.class.getResourceAsStream("catalog.sql")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
