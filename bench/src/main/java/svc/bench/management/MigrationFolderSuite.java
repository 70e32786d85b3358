package svc.bench.management;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/** A folder of migrations in one call, as a deployment sends it to a new project. */
public final class MigrationFolderSuite implements Suite {
    private static final int FILES = 30;
    private static final int WARM_UP_PROJECTS = 2;
    private static final int PROJECTS = 8;
    private static final double LIMIT_MILLIS = 1500;

    @Override
    public String name() {
        return "migrations";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            var folders = new ArrayList<Duration>();
            var again = new ArrayList<Duration>();
            for (int i = 0; i < WARM_UP_PROJECTS + PROJECTS; i++) {
                String ref =
                        platform.controlPlane().create("bench " + i).get("ref").asText();
                String path = "/projects/" + ref + "/database/migrations";
                Duration first = timed(platform, path);
                Duration second = timed(platform, path);
                if (i >= WARM_UP_PROJECTS) {
                    folders.add(first);
                    again.add(second);
                }
            }
            return List.of(
                    Figure.atMost(
                            FILES + " migration files in one call, p50",
                            Samples.of(folders).median(),
                            "ms",
                            LIMIT_MILLIS),
                    Figure.watched(
                            FILES + " migration files that are applied already, p50",
                            Samples.of(again).median(),
                            "ms"));
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static Duration timed(Platform platform, String path) throws Exception {
        long begin = System.nanoTime();
        platform.controlPlane().post(path, folder()).expect(200);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static List<Map<String, String>> folder() {
        return IntStream.range(0, FILES)
                .mapToObj(i -> Map.of(
                        "name", "203001311200%02d_table_%d.sql".formatted(i, i),
                        "query", file("items_" + i)))
                .toList();
    }

    private static String file(String table) {
        return """
                create table public.$ (
                  id uuid primary key default gen_random_uuid(),
                  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
                  title text not null check (char_length(title) > 0),
                  created_at timestamptz not null default now(),
                  updated_at timestamptz
                );
                alter table public.$ enable row level security;
                create policy "own rows" on public.$ for all to authenticated
                  using (owner = auth.uid()) with check (owner = auth.uid());
                create index $_owner on public.$ (owner, created_at desc);
                create function public.touch_$() returns trigger language plpgsql as $body$
                begin new.updated_at := now(); return new; end $body$;
                create trigger touch before update on public.$ for each row execute function public.touch_$();
                """.replace("$body$", "@@").replace("$", table).replace("@@", "$body$");
    }
}
