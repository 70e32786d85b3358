package svc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.platform.tenancy.Tenant;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/** A schema takes little memory, and the cache's estimate is accurate. */
class SchemaSizeTest {
    @Test
    void aThousandProjectsTakeLittleMemory() {
        TestingProjects projects = TestingProjects.create();
        var tables = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            tables.append("CREATE TABLE many")
                    .append(i)
                    .append(
                            " (id bigint PRIMARY KEY, name text, made timestamptz, done bool, size numeric, owner uuid, extra jsonb, tags text[]);");
        }
        for (int i = 1; i < 10; i++) {
            tables.append("ALTER TABLE many" + i + " ADD many_id bigint REFERENCES many" + (i - 1) + ";");
        }
        tables.append("CREATE VIEW shown AS SELECT * FROM many9;"
                + "CREATE FUNCTION total(many1) RETURNS numeric LANGUAGE sql AS 'SELECT 1.0';"
                + "CREATE FUNCTION find(word text, most int DEFAULT 10) RETURNS SETOF many0 LANGUAGE sql AS 'SELECT * FROM many0';"
                + "CREATE TYPE mood AS ENUM ('sad', 'happy'); ALTER TABLE many0 ADD feeling mood;"
                + "COMMENT ON TABLE many0 IS 'The first of many tables';");
        Tenant typical = projects.project("schema56");
        projects.asOwner(typical, tables.toString());
        try (var catalog =
                new CatalogDatabase(() -> projects.platformPassword(Purpose.LOGIN_CATALOG), PoolSettings.defaults())) {
            var reader = new SchemaReader(catalog);
            reader.read(SchemaScope.of(typical));
            ProjectSchema one = reader.read(SchemaScope.of(typical));
            assertThat(one.tables()).hasSize(11);
            int estimated = one.estimatedBytes();
            // Other allocations of this process, perhaps a megabyte, are counted too: many schemas make them
            // negligible.
            long each = bytesEach(reader, typical, 2000);
            System.out.printf(
                    "schema of 10 tables, 1 view, 2 functions, 100 columns: %d bytes of heap, estimated %d%n",
                    each, estimated);
            assertThat(each).isLessThan(16_000);
            assertThat((double) estimated / each).isBetween(0.75, 1.35);
        }
    }

    private static long bytesEach(SchemaReader reader, Tenant tenant, int count) {
        List<ProjectSchema> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            held.add(reader.read(SchemaScope.of(tenant)));
        }
        long with = usedHeap();
        held.clear();
        return (with - usedHeap()) / count;
    }

    /** The serial collector compacts completely at every fourth full collection only. */
    private static long usedHeap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
