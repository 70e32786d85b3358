package svc.bench.siege;

import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import svc.bench.storage.StorageImages;
import svc.bench.storage.StorageProject;

/** What costs the platform's own processes, which work for all projects: the parser of SQL, the audit and images. */
record SharedWorkAttacks(Tenant tenant) {
    private static final int PROJECTS = 8;
    private static final int TEXT = 240_000;
    private static final int DEPTH = 900;
    private static final int VERSIONS = 500;
    private static final int RENDERINGS = 6;
    private static final long MAX_FILE = 20_000_000;
    private static final String PHOTO = "open/photo.jpg";

    List<Attack> attacks() {
        return List.of(
                new Attack("gate: texts of 240 KB", this::texts),
                new Attack("images: " + RENDERINGS + " AVIF renderings at once", this::images),
                new Attack("audit: calls that record " + VERSIONS + " migrations", this::audit));
    }

    private Invasion texts() throws IOException {
        List<String> shapes = List.of(
                "select " + "a.b,".repeat(TEXT / 4) + "1",
                "select 1;".repeat(TEXT / 9),
                "select " + "case when ".repeat(DEPTH) + "true" + " then 1 end".repeat(DEPTH),
                "select 1 where " + "a=1 or ".repeat(TEXT / 7) + "true");
        return Invasion.of(tenant, "gate", PROJECTS).scripts(3, project -> shapes.get(project % shapes.size()));
    }

    private Invasion audit() throws IOException {
        IntFunction<String> script =
                project -> "INSERT INTO supabase_migrations.schema_migrations (version, name) VALUES "
                        + IntStream.range(0, VERSIONS)
                                .mapToObj(i -> "('" + (20_260_101_000_000L + 1_000 * project + i) + "','m')")
                                .collect(Collectors.joining(","));
        return Invasion.of(tenant, "audit", PROJECTS).scripts(3, script);
    }

    /** Each of another size, so that none is kept from before. */
    private AutoCloseable images() throws Exception {
        StorageProject storage = StorageProject.create(tenant.platform(), MAX_FILE);
        storage.upload(List.of(PHOTO), StorageImages.photo());
        var project = tenant.described(storage.api().ref());
        return new Invasion(tenant, "images", List.of(project))
                .calls(
                        RENDERINGS,
                        "render",
                        (sender, of, number) -> sender.data(
                                        of,
                                        StorageProject.PREFIX + "/render/image/public/" + PHOTO + "?format=avif&width="
                                                + (2_000 - number % 1_000))
                                .GET());
    }
}
