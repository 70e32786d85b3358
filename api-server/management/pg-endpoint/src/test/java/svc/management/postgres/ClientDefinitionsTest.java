package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** Definitions that the server prints, which clients compare with what they wrote. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientDefinitionsTest extends TestBesideNeighbour {
    private static void run(WireClient wire, String... statements) throws IOException {
        for (String sql : statements) {
            assertThat(WireClient.error(wire.query(sql))).as(sql).isEmpty();
        }
    }

    private static String value(WireClient wire, String sql) throws IOException {
        List<WireClient.Message> answers = wire.query(sql);
        assertThat(WireClient.error(answers)).as(sql).isEmpty();
        return answers.stream()
                .filter(message -> message.type() == 'D')
                .map(message -> message.text().substring(6))
                .collect(Collectors.joining("\n"));
    }

    private static void makeObjects(WireClient wire) throws IOException {
        run(
                wire,
                "create schema app",
                "create type mood as enum ('ok')",
                "create table public.parent (id serial primary key, uid uuid default extensions.uuid_generate_v4(),"
                        + " now mood default 'ok', note text default 'public.x proj_')",
                "create table public.\"Child\" (id int primary key, parent int references public.parent,"
                        + " owner uuid references auth.users (id), constraint c check (id > 0))",
                "create table app.other (id int references public.parent)",
                "create index by_note on public.parent (lower(note))",
                "create view public.seen as select p.id, auth.uid() as me from public.parent p",
                "alter table public.parent enable row level security",
                "create policy own on public.parent for all to authenticated using (uid = auth.uid() and id in"
                        + " (select parent from public.\"Child\"))",
                "create function public.touch() returns trigger language plpgsql as $$ begin"
                        + " -- it's public.parent\n insert into public.parent (note) values ('public.parent'); return new; end $$",
                "create trigger touch before update on public.parent for each row execute function public.touch()");
    }

    @Test
    void definitionsHaveFamiliarNamesAsInTheSearchPath() throws IOException {
        try (WireClient wire = signedIn()) {
            makeObjects(wire);
            assertThat(value(
                            wire,
                            "select pg_get_constraintdef(oid) from pg_constraint where contype = 'f'"
                                    + " order by pg_get_constraintdef(oid)"))
                    .isEqualTo("FOREIGN KEY (id) REFERENCES parent(id)\n"
                            + "FOREIGN KEY (owner) REFERENCES auth.users(id)\n"
                            + "FOREIGN KEY (parent) REFERENCES parent(id)");
            assertThat(value(
                            wire,
                            "select column_default from information_schema.columns where table_schema = 'public'"
                                    + " and table_name = 'parent' order by ordinal_position"))
                    .isEqualTo("nextval('parent_id_seq'::regclass)\nuuid_generate_v4()\n'ok'::mood\n"
                            + "'public.x proj_'::text");
            assertThat(value(wire, "select pg_get_indexdef('by_note'::regclass)"))
                    .isEqualTo("CREATE INDEX by_note ON public.parent USING btree (lower(note))");
            assertThat(value(wire, "select pg_catalog.pg_get_viewdef('public.seen'::regclass)"))
                    .isEqualTo(" SELECT id,\n    auth.uid() AS me\n   FROM parent p;");
            assertThat(value(wire, "select qual from pg_policies where tablename = 'parent'"))
                    .contains("auth.uid()")
                    .contains("FROM \"Child\"")
                    .doesNotContain("proj_");
            assertThat(value(wire, "select pg_get_triggerdef(oid) from pg_trigger where tgname = 'touch'"))
                    .isEqualTo("CREATE TRIGGER touch BEFORE UPDATE ON public.parent FOR EACH ROW EXECUTE FUNCTION"
                            + " public.touch()");
            assertThat(value(wire, "select pg_get_functiondef('public.touch'::regproc)"))
                    .contains("FUNCTION public.touch()")
                    .contains("insert into public.parent (note) values ('public.parent')")
                    .doesNotContain("proj_");
        }
    }

    @Test
    void withAnEmptySearchPathEveryNameIsQualified() throws IOException {
        try (WireClient wire = signedIn()) {
            makeObjects(wire);
            String key = "select pg_catalog.pg_get_constraintdef(oid) from pg_catalog.pg_constraint"
                    + " where contype = 'f' and conrelid = 'app.other'::pg_catalog.regclass";
            run(wire, "begin", "select 1", "set local search_path to ''");
            assertThat(value(wire, key)).isEqualTo("FOREIGN KEY (id) REFERENCES public.parent(id)");
            run(wire, "commit");
            assertThat(value(wire, key)).isEqualTo("FOREIGN KEY (id) REFERENCES parent(id)");
            // A name that no schema can have is passed over.
            run(wire, "set search_path to app, ''");
            assertThat(value(wire, key)).isEqualTo("FOREIGN KEY (id) REFERENCES public.parent(id)");
            run(wire, "reset search_path");
            assertThat(value(wire, key)).isEqualTo("FOREIGN KEY (id) REFERENCES parent(id)");
            run(wire, "select pg_catalog.set_config('search_path', '', false)");
            assertThat(value(wire, key)).isEqualTo("FOREIGN KEY (id) REFERENCES public.parent(id)");
            assertThat(value(
                            wire,
                            "select pg_catalog.pg_get_expr(adbin, adrelid) from pg_catalog.pg_attrdef"
                                    + " where adrelid = 'public.parent'::pg_catalog.regclass order by adnum limit 2"))
                    .isEqualTo("nextval('public.parent_id_seq'::regclass)\nextensions.uuid_generate_v4()");
        }
    }

    /** What only looks like a name, and what a setting of the client's would change. */
    @Test
    void whatIsNoNameStaysAsItIs() throws IOException {
        try (WireClient wire = signedIn()) {
            // As a text: a value of the type name is a name.
            String schema = value(wire, "select current_schema()::text");
            run(
                    wire,
                    "create table extensions (id int)",
                    "create view seen as select extensions.id, '" + schema + ".t' as text, 1 as \"" + schema
                            + ".t\", extensions.digest('x', 'sha1') as hash from extensions");
            assertThat(value(wire, "select pg_get_viewdef('seen'::regclass)"))
                    .contains("'" + schema + ".t'::text")
                    .contains("\"" + schema + ".t\"")
                    .contains("extensions.digest(");
            assertThat(WireClient.error(wire.query("set svc.names = 'x'"))).isNotEmpty();
        }
    }
}
