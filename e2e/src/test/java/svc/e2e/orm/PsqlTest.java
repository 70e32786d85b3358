package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** psql of PostgreSQL 18, unchanged. */
@ExtendWith(SharedPlatform.class)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "they are fetched for this platform alone")
class PsqlTest {
    private static final String SCHEMA = """
            create schema app;
            create type public.mood as enum ('sad', 'ok');
            create domain public.positive as int check (value > 0);
            create table public.authors (
              id serial primary key,
              uid uuid not null default gen_random_uuid() unique,
              mood public.mood default 'ok',
              name text not null check (name <> ''),
              about jsonb);
            comment on table public.authors is 'who writes';
            create table app.books (
              id bigint generated always as identity primary key,
              author int not null references public.authors on delete cascade,
              pages public.positive,
              title text);
            create index by_title on app.books (lower(title));
            create view public.titles as select b.title, a.name from app.books b join public.authors a on a.id = b.author;
            create function public.touch() returns trigger language plpgsql as $$ begin
              perform 1 from public.authors; return new; end $$;
            create trigger touch before update on public.authors for each row execute function public.touch();
            alter table public.authors enable row level security;
            create policy own on public.authors for select to authenticated using (uid = auth.uid());
            grant select on public.authors to anon;
            insert into public.authors (name, about) values ('Ann', '{"a": null}'), (E'B\\tob', 'null');
            insert into app.books (author, pages, title) values (1, 3, 'one'), (2, null, null);
            """;

    private static EndpointProgram made(Platform platform, String name) throws IOException {
        EndpointProgram project = EndpointProgram.ofNewProject(platform, name);
        platform.controlPlane().query(project.ref(), SCHEMA).expect(201);
        return project;
    }

    private static String psql(EndpointProgram project, String command) throws IOException {
        return project.tool(
                "psql", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--pset=format=unaligned", "--command=" + command);
    }

    @Test
    void psqlDescribesWithFamiliarNames(Platform platform) throws IOException {
        EndpointProgram project = made(platform, "psql");
        assertThat(psql(project, "\\dt public.*")).contains("public|authors|table|postgres");
        assertThat(psql(project, "\\d authors"))
                .contains("Table \"public.authors\"")
                .contains("mood|mood||")
                .contains(
                        "TABLE \"app.books\" CONSTRAINT \"books_author_fkey\" FOREIGN KEY (author) REFERENCES authors(id)")
                .contains("TO authenticated")
                .contains("(uid = auth.uid())");
        assertThat(psql(project, "\\d+ public.titles")).contains("View \"public.titles\"");
        assertThat(psql(project, "\\dn")).contains("app|").contains("public|").doesNotContain("proj_");
        assertThat(psql(project, "\\df")).contains("public|touch|trigger||func").contains("(1 row)");
        assertThat(psql(project, "\\dT")).contains("public|mood|");
        assertThat(psql(project, "\\dp authors")).contains("anon=arwdDxtm/postgres");
        assertThat(psql(project, "\\di app.*")).contains("app|by_title|index|postgres|books");
        assertThat(psql(project, "\\sf touch")).contains("FUNCTION public.touch()");
        for (String command : new String[] {
            "\\d",
            "\\dt+",
            "\\dv",
            "\\ds",
            "\\dm",
            "\\dE",
            "\\dD",
            "\\dC",
            "\\dx",
            "\\dy",
            "\\ddp",
            "\\dX",
            "\\dL",
            "\\do",
            "\\dc",
            "\\dO",
            "\\l",
            "\\conninfo",
            "\\des",
            "\\dF",
            "\\dconfig",
            "\\dA",
            "\\dRp",
            "\\db",
            "\\dd",
            "\\dAc",
            "\\df+ touch",
            "\\d+ titles"
        }) {
            assertThat(psql(project, command))
                    .as(command)
                    .doesNotContain("proj_")
                    .doesNotContain("svc_");
        }
    }
}
