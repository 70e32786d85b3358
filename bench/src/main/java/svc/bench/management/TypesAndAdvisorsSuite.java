package svc.bench.management;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.bench.siege.Neighbour;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * Generated types and both advisors of a project with 200 tables, and the reads of another project beside the advisors.
 * The first call of each kind counts too: an agent asks once after a migration, when nothing is warm.
 */
public final class TypesAndAdvisorsSuite implements Suite {
    private static final int TABLES = 200;
    private static final int PROJECTS = 3;
    private static final List<String> LANGUAGES = List.of("typescript", "go", "swift", "python");
    private static final int RUNS = 6;
    private static final double TYPES_LIMIT_MILLIS = 300;
    private static final double ADVISORS_LIMIT_MILLIS = 1_000;
    private static final Duration ALONE = Duration.ofSeconds(5);

    /** The columns, keys and policies that an application's table usually has, so that most rules have work. */
    private static final String TABLE = """
            CREATE TABLE public.thing_%1$d (
              id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
              owner uuid NOT NULL REFERENCES auth.users (id),
              title text NOT NULL,
              state public.state NOT NULL DEFAULT 'open',
              price numeric(12, 2),
              tags text[] NOT NULL DEFAULT '{}',
              details jsonb,
              created_at timestamptz NOT NULL DEFAULT now(),
              parent bigint REFERENCES public.thing_%2$d (id));
            CREATE INDEX ON public.thing_%1$d (created_at);
            ALTER TABLE public.thing_%1$d ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON public.thing_%1$d USING (owner = auth.uid());
            """;

    @Override
    public String name() {
        return "types-and-advisors";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            return measure(platform);
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static List<Figure> measure(Platform platform) throws Exception {
        ControlPlane api = platform.controlPlane();
        Map<String, List<Duration>> types = new LinkedHashMap<>();
        var advisors = new ArrayList<Duration>();
        String ref = "";
        for (int i = 0; i < PROJECTS; i++) {
            ref = api.create("bench " + i).get("ref").asText();
            api.query(ref, tables()).expect(201);
            for (int run = 0; run < RUNS; run++) {
                for (String language : LANGUAGES) {
                    types.computeIfAbsent(language, unused -> new ArrayList<>())
                            .add(timed(api, "/projects/" + ref + "/types/" + language));
                }
                advisors.add(timed(api, "/projects/" + ref + "/advisors/security"));
                advisors.add(timed(api, "/projects/" + ref + "/advisors/performance"));
            }
        }
        Neighbour neighbour = Neighbour.create(platform);
        neighbour.readFor(ALONE);
        double alone = neighbour.readFor(ALONE).p99();
        double beside = beside(neighbour, api, ref);
        List<Figure> figures = new ArrayList<>();
        types.forEach((language, times) -> {
            figures.add(Figure.atMost(
                    language + " types of 200 tables, p50", Samples.of(times).median(), "ms", TYPES_LIMIT_MILLIS));
            figures.add(Figure.watched(
                    language + " types of 200 tables, slowest",
                    Samples.of(times).percentile(100),
                    "ms"));
        });
        figures.addAll(List.of(
                Figure.atMost(
                        "one advisor of 200 tables, p50", Samples.of(advisors).median(), "ms", ADVISORS_LIMIT_MILLIS),
                Figure.watched(
                        "one advisor of 200 tables, slowest",
                        Samples.of(advisors).percentile(100),
                        "ms"),
                Figure.watchedBeside("a neighbour's reads beside advisors, p99", beside, "ms", "alone", alone)));
        return figures;
    }

    /** The neighbour's p99 while the advisors of another project run one after another. */
    private static double beside(Neighbour neighbour, ControlPlane api, String ref) throws Exception {
        CompletableFuture<Neighbour.Period> reads = CompletableFuture.supplyAsync(() -> {
            try {
                return neighbour.readFor(ALONE);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (!reads.isDone()) {
            timed(api, "/projects/" + ref + "/advisors/security");
        }
        return reads.get().p99();
    }

    private static String tables() {
        return IntStream.rangeClosed(1, TABLES)
                .mapToObj(n -> TABLE.formatted(n, Math.max(1, n - 1)))
                .collect(Collectors.joining("", "CREATE TYPE public.state AS ENUM ('open', 'done');\n", ""));
    }

    private static Duration timed(ControlPlane api, String path) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        api.get(path).expect(200);
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
