package svc.e2e.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** Losses that users of dumps have reported, by what the restored project does. */
@ExtendWith(SharedPlatform.class)
class DumpedCasesTest {
    private static final String SCHEMA = """
            create table ten (t text);
            create table counted (id int generated always as identity primary key, name text);
            create table team (id int primary key, lead int);
            create table member (id int primary key, team int not null references team);
            alter table team add constraint team_lead foreign key (lead) references member;
            create table doc (id int primary key, body text);
            alter table doc replica identity full;
            alter publication supabase_realtime add table doc;
            create table ev (id int, g text, code text) partition by list (g);
            create table ev_a partition of ev for values in ('a');
            create unique index ev_u on ev (g, code);
            create table quiet (id int);
            create function boom() returns trigger language plpgsql as 'begin raise exception ''ran''; end';
            create trigger bt before insert on quiet for each row execute function boom();
            alter table quiet disable trigger bt;
            create table loud (id int);
            create type floats as range (subtype = float8);
            create table named (n text collate "C", f floats, j json);
            """;
    private static final String ROWS = """
            insert into ten values ('row');
            insert into counted (name) values ('a'), ('b');
            insert into team values (1, null);
            insert into member values (10, 1);
            update team set lead = 10;
            insert into loud values (1);
            create trigger bt before insert on loud for each row execute function boom();
            insert into named values ('x', '[1.5,2)', 'null');
            """;

    @TempDir
    private Path folders;

    @Test
    void aRestoredProjectActsAsTheOriginal(Platform platform) throws Exception {
        SchemaFolder original = SchemaFolder.in(platform, folders.resolve("original"))
                .run(SCHEMA)
                .run(ROWS);
        SchemaFolder copy = SchemaFolder.in(platform, folders.resolve("copy"))
                .run(original.dump())
                .run(original.rows());
        assertThat(copy.answer("select t from ten")).isEqualTo("[{\"t\":\"row\"}]");
        assertThat(copy.answer("insert into counted (name) values ('new') returning id"))
                .isEqualTo("[{\"id\":3}]");
        assertThat(copy.answer("select lead from team")).isEqualTo("[{\"lead\":10}]");
        assertThat(copy.answer("select count(*) as n from quiet")).isEqualTo("[{\"n\":0}]");
        copy.run("insert into quiet values (1)");
        refused(copy, "insert into loud values (2)", "P0001");
        copy.run("insert into ev values (1, 'a', 'x')");
        refused(copy, "insert into ev values (2, 'a', 'x')", "23505");
        refused(copy, "insert into member values (11, 99)", "23503");
        assertThat(copy.answer("select f, j is null as lost from named"))
                .isEqualTo("[{\"f\":\"[1.5,2)\",\"lost\":false}]");
        assertThat(copy.catalog()).isEqualTo(original.catalog());
    }

    @Test
    void aDifferenceSeesWhatDecidesBehaviour(Platform platform) throws Exception {
        SchemaFolder folder = SchemaFolder.in(platform, folders.resolve("changed"))
                .migration(SCHEMA)
                .run(SCHEMA)
                .run("""
                        alter table doc replica identity default;
                        alter publication supabase_realtime drop table doc;
                        alter table quiet enable always trigger bt;
                        alter table named alter n type text collate "en-x-icu";
                        """);
        assertThat(folder.line().svc("db", "diff").expect(0).out())
                .contains(
                        "alter table public.doc replica identity default;",
                        "alter publication supabase_realtime drop table public.doc;",
                        "alter table public.quiet enable always trigger bt;",
                        "alter table public.named alter column n type text collate pg_catalog.\"en-x-icu\"");
    }

    @Test
    void aRangeTypeGoesAsItCame(Platform platform) throws Exception {
        SchemaFolder folder = SchemaFolder.in(platform, folders.resolve("ranges"))
                .run("create type floats as range (subtype = float8); create table uses (f floats)")
                .run("drop type floats cascade")
                .run("create type floats as range (subtype = float8)");
        folder.line().svc("db", "reset", "--yes").expect(0);
        assertThat(folder.dump()).isBlank();
    }

    private static void refused(SchemaFolder folder, String sql, String state) throws IOException {
        assertThat(folder.line().svc("db", "query", sql).expect(1).err()).contains("sqlstate: " + state);
    }
}
