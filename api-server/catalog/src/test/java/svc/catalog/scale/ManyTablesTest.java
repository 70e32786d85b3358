package svc.catalog.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.catalog.ProjectSchema;
import svc.catalog.TestingSchema;
import svc.platform.tenancy.Tenant;

/** A project with 10,000 tables, for which its limits are raised, loads completely, while other projects are served. */
class ManyTablesTest {
    private static final int BATCHES = 20;
    private static final int BATCH = 500;

    private static TestingSchema schema;

    /** In batches, because the lock table limits the number of locks of a transaction. */
    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("manytabs", "CREATE TABLE root (id int PRIMARY KEY)");
        schema.projects()
                .asOperator("INSERT INTO svc_guard.setting VALUES ('object limits of "
                        + schema.tenant().names().schemaName() + "', '{\"relations\": 20000, \"columns\": 200000}')");
        for (int batch = 0; batch < BATCHES; batch++) {
            schema.run("DO $$ BEGIN FOR i IN " + batch * BATCH + ".." + (batch * BATCH + BATCH - 1) + " LOOP"
                    + " EXECUTE format('CREATE TABLE t%s (id int, root_id int, a text, b timestamptz, c numeric, d uuid)', i);"
                    + " END LOOP; END $$");
        }
        schema.run("ALTER TABLE t9999 ADD PRIMARY KEY (id), ADD FOREIGN KEY (root_id) REFERENCES root");
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    @Test
    void allAreThereAndOthersAreServed() {
        Tenant neighbour = schema.projects().project("neighbor");
        CompletableFuture<ProjectSchema> large = CompletableFuture.supplyAsync(schema::schema);
        ProjectSchema small = schema.schemas().get(neighbour);
        assertThat(small.tables()).isEmpty();
        ProjectSchema loaded = large.join();
        assertThat(loaded.tables()).hasSize(BATCHES * BATCH + 1);
        assertThat(loaded.table("t9999").orElseThrow().columns()).hasSize(6);
        assertThat(loaded.relationships().toOneOf(schema.name("t9999")))
                .extracting(one -> one.foreignTable().name())
                .containsExactly("root");
        long held = held();
        System.out.printf("schema of 10,000 tables: estimated %d bytes%n", held);
        assertThat(held).as("held by the cache").isBetween(2_000_000L, 20_000_000L);
    }

    /** The cache updates its weight shortly after callers have the schema. */
    private static long held() {
        Instant deadline = Instant.now().plusSeconds(60);
        long held = schema.schemas().estimatedBytes();
        while (held < 2_000_000 && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
            held = schema.schemas().estimatedBytes();
        }
        return held;
    }
}
