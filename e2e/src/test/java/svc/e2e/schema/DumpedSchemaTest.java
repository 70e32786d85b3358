package svc.e2e.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/**
 * What {@code svc db dump} writes makes an equal catalog and equal rows, and what {@code svc db diff} writes leads from one catalog
 * to the other. The catalog is the server's own, column by column.
 */
@ExtendWith(SharedPlatform.class)
class DumpedSchemaTest {
    @TempDir
    private Path folders;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aDumpMakesAnEqualCatalogAndEqualRows(long seed, Platform platform) throws Exception {
        SchemaFolder original =
                SchemaFolder.in(platform, folders.resolve("original")).run(new RandomSchema(seed, true).script());
        String schema = original.dump();
        String rows = original.rows();
        SchemaFolder copy = SchemaFolder.in(platform, folders.resolve("copy")).run(schema);
        assertThat(copy.catalog()).as(schema).isEqualTo(original.catalog());
        copy.run(rows);
        assertThat(copy.rows()).isEqualTo(rows);
        assertThat(copy.catalog()).as(rows).isEqualTo(original.catalog());
        assertThat(copy.migration(schema).line().svc("db", "diff").expect(0).out())
                .isBlank();
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void aDifferenceLeadsFromTheMigrationsToTheProject(long seed, Platform platform) throws Exception {
        var random = new RandomSchema(seed, true);
        SchemaFolder changed = SchemaFolder.in(platform, folders.resolve("changed"))
                .run(random.script())
                .run(random.changes())
                .migration(random.script());
        String difference = changed.line().svc("db", "diff").expect(0).out();
        SchemaFolder other = SchemaFolder.in(platform, folders.resolve("other"))
                .run(random.script())
                .run(difference);
        assertThat(other.catalogOfAnyOrder()).as(difference).isEqualTo(changed.catalogOfAnyOrder());
    }

    @ParameterizedTest
    @ValueSource(longs = 6)
    void aDifferenceLeadsBack(long seed, Platform platform) throws Exception {
        var random = new RandomSchema(seed, false);
        SchemaFolder original = SchemaFolder.in(platform, folders.resolve("original"))
                .run(random.script())
                .migration(random.script() + random.changes());
        String difference = original.line().svc("db", "diff").expect(0).out();
        SchemaFolder other = SchemaFolder.in(platform, folders.resolve("other"))
                .run(random.script())
                .run(random.changes())
                .run(difference);
        assertThat(other.catalogOfAnyOrder()).as(difference).isEqualTo(original.catalogOfAnyOrder());
    }

    @Test
    void whatADumpDoesNotCarryItNames(Platform platform) throws Exception {
        SchemaFolder folder = SchemaFolder.in(platform, folders.resolve("left")).run("""
                create schema app;
                create text search configuration public.own (copy = pg_catalog.simple);
                create table hidden (a int);
                insert into hidden values (1);
                alter table hidden enable row level security;
                alter table hidden force row level security;
                """);
        var dump = folder.line().svc("db", "dump").expect(0);
        assertThat(dump.out())
                .contains("-- not in this script: the schema app\n")
                .contains("-- not in this script: the text search configuration public.own\n");
        assertThat(dump.err()).contains("the schema app", "the text search configuration public.own");
        var rows = folder.line().svc("db", "dump", "--data-only").expect(0);
        assertThat(rows.out())
                .as("row security does not hold for the owner")
                .contains("insert into public.hidden (a) values\n('1');");
    }
}
