package svc.bench.storage;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Duel;
import svc.bench.measure.Exchange;
import svc.bench.measure.Figure;
import svc.bench.measure.Measured;
import svc.bench.measure.Suite;
import svc.bench.measure.Tool;
import svc.bench.measure.Wrk;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.platform.ProcessorTime;
import svc.embedded.process.Folders;

/**
 * The storage service under load beside PostgreSQL, S3 and the load on one machine. Its peer is the S3 server that keeps its
 * files, read and written directly by the same load in turns.
 */
public final class StorageSuite implements Suite {
    private static final int CONNECTIONS = 32;
    private static final int SECONDS = 3;
    private static final int RUNS = 3;

    /** Of each side: the first seconds are the compiler's. */
    private static final int WARM_UP_RUNS = 3;

    /** Of a file under load. */
    private static final int BYTES = 100_000;

    /** More of them than the platform keeps in memory. */
    private static final int FILES = 600;

    private static final int HOT_FILES = 30;
    private static final double MIN_DOWNLOADS = 1_500;
    private static final double MIN_UPLOADS = 400;
    private static final double MIN_SIGNATURES = 5_000;
    private static final double MIN_SHARE_OF_PEER = 0.5;
    private static final long MAX_FILE = 2L << 30;
    private static final double MICROS = 1e6;

    @Override
    public String name() {
        return "storage";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Tool> wrk = Tool.find("wrk");
        if (wrk.isEmpty()) {
            System.err.println("storage: skipped, it needs wrk, the load (Debian: apt-get install wrk)");
            return List.of();
        }
        Path data = Files.createTempDirectory("svc-bench-");
        Path objects = Files.createTempDirectory("svc-bench-s3-");
        Path work = Files.createTempDirectory("svc-bench-load-");
        try (StoragePeer s3 = StoragePeer.start(objects);
                // As on a cluster: one machine's functions need event loops that cannot drive database sessions.
                Platform platform = Platform.start(s3.serving(PlatformCommand.onFreePorts(data))
                        .with("-Dquarkus.vertx.prefer-native-transport=false"))) {
            StorageProject project = StorageProject.create(platform, MAX_FILE);
            var load = new Wrk(wrk.get(), work, CONNECTIONS, SECONDS);
            var run = new Run(platform, s3, project, load);
            var figures = new ArrayList<Figure>();
            figures.addAll(run.downloads());
            figures.addAll(run.uploads());
            figures.addAll(run.signatures());
            figures.addAll(new StorageListings(platform, project).measure());
            figures.addAll(new StorageImages(project).measure());
            figures.addAll(new LargeFile(platform, project).measure());
            return figures;
        } finally {
            for (Path folder : List.of(data, objects, work)) {
                Folders.deleteRecursively(folder);
            }
        }
    }

    /** The load on one platform. */
    private record Run(Platform platform, StoragePeer s3, StorageProject project, Wrk load) {
        private URI gateway() {
            return URI.create(platform.connection().baseUrl()).resolve("/");
        }

        List<Figure> downloads() throws Exception {
            byte[] bytes = new byte[BYTES];
            new Random(1).nextBytes(bytes);
            List<String> open = StorageProject.names("open", FILES);
            List<String> closed = StorageProject.names("closed", FILES);
            project.upload(open, bytes);
            project.upload(closed, bytes);
            Path direct = load.targets("direct", s3.reads(project.keys(BenchDatabase.of(platform), "open")));
            Path cold = load.targets("cold", routes("/object/public/", open));
            Path hot = load.targets("hot", routes("/object/public/", open.subList(0, HOT_FILES)));
            Path own = load.targets("closed", routes("/object/", closed));
            Duel duel = warmDuel(() -> get(cold), () -> load.transfer(s3.address(), s3.headers(), direct, "GET", 0));
            String name = "download of 100 KB";
            var figures = new ArrayList<Figure>();
            figures.add(duel.throughput(name + ", public, not in memory", "S3 server", MIN_SHARE_OF_PEER));
            figures.add(atLeast(name + ", public, not in memory", duel.ours().perSecond(), MIN_DOWNLOADS));
            figures.add(Figure.watchedBeside(
                    name + ", p99",
                    duel.ours().p99Millis(),
                    "ms",
                    "S3 server",
                    duel.peer().p99Millis()));
            figures.addAll(costs(name, () -> get(cold)));
            Measured ofHot = median(() -> get(hot));
            figures.add(Figure.againstPeer(
                    name + ", " + HOT_FILES + " public files",
                    ofHot.perSecond(),
                    "1/s",
                    "S3 server",
                    duel.peer().perSecond(),
                    MIN_SHARE_OF_PEER));
            figures.addAll(costs(name + ", " + HOT_FILES + " files", () -> get(hot)));
            figures.add(Figure.watchedBeside(
                    name + ", by a policy",
                    median(() -> get(own)).perSecond(),
                    "1/s",
                    "S3 server",
                    duel.peer().perSecond()));
            return figures;
        }

        private Measured get(Path targets) throws Exception {
            return load.transfer(gateway(), project.headers(), targets, "GET", 0);
        }

        private static List<String> routes(String route, List<String> names) {
            return names.stream()
                    .map(name -> StorageProject.PREFIX + route + name)
                    .toList();
        }

        List<Figure> uploads() throws Exception {
            Path fresh = load.targets("fresh", List.of(StorageProject.PREFIX + "/object/closed/up/{n}"));
            Path direct = load.targets("written", s3.writes(StorageProject.names("bench", FILES)));
            Duel duel =
                    Duel.of(() -> put(fresh), () -> load.transfer(s3.address(), s3.headers(), direct, "PUT", BYTES));
            String name = "upload of 100 KB";
            var figures = new ArrayList<Figure>();
            figures.add(atLeast(name, duel.ours().perSecond(), MIN_UPLOADS));
            figures.add(Figure.watchedBeside(
                    name,
                    duel.ours().perSecond(),
                    "1/s",
                    "S3 server",
                    duel.peer().perSecond()));
            figures.add(Figure.watchedBeside(
                    name + ", p99",
                    duel.ours().p99Millis(),
                    "ms",
                    "S3 server",
                    duel.peer().p99Millis()));
            figures.addAll(costs(name, () -> put(fresh)));
            return figures;
        }

        private Measured put(Path targets) throws Exception {
            return load.transfer(gateway(), project.headers(), targets, "POST", BYTES);
        }

        List<Figure> signatures() throws Exception {
            Path callers = load.callers("signers", List.of(project.headers()));
            var sign = new Exchange(
                    "signed URL",
                    "POST",
                    "/object/sign/closed/f-%d",
                    FILES,
                    Optional.of("{\"expiresIn\":3600}"),
                    MIN_SIGNATURES);
            Measured signed = median(() -> load.run(gateway(), StorageProject.PREFIX, callers, sign));
            var figures = new ArrayList<Figure>();
            figures.add(atLeast("signed URL, by a policy", signed.perSecond(), MIN_SIGNATURES));
            figures.add(Figure.watched("signed URL, p99", signed.p99Millis(), "ms"));
            figures.addAll(costs("signed URL", () -> load.run(gateway(), StorageProject.PREFIX, callers, sign)));
            return figures;
        }

        /** Processor time of a request: the platform's, S3's and PostgreSQL's. */
        private List<Figure> costs(String name, Duel.Side side) throws Exception {
            ProcessHandle database = BenchDatabase.of(platform).server();
            double ours = ProcessorTime.of(platform.process());
            double store = ProcessorTime.of(ProcessHandle.current());
            double rows = ProcessorTime.ofTree(database);
            double micros = MICROS / (side.run().perSecond() * SECONDS);
            return Stream.of(
                            Figure.watched(
                                    name + ", platform's processor",
                                    (ProcessorTime.of(platform.process()) - ours) * micros,
                                    "us"),
                            Figure.watched(
                                    name + ", S3's processor",
                                    (ProcessorTime.of(ProcessHandle.current()) - store) * micros,
                                    "us"),
                            Figure.watched(
                                    name + ", PostgreSQL's processor",
                                    (ProcessorTime.ofTree(database) - rows) * micros,
                                    "us"))
                    .toList();
        }
    }

    private static Duel warmDuel(Duel.Side ours, Duel.Side peer) throws Exception {
        for (int i = 0; i < WARM_UP_RUNS; i++) {
            ours.run();
            peer.run();
        }
        return Duel.of(ours, peer);
    }

    private static Measured median(Duel.Side side) throws Exception {
        side.run();
        List<Measured> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(side.run());
        }
        return Measured.median(runs);
    }

    private static Figure atLeast(String name, double value, double least) {
        return new Figure(name, value, "1/s", null, null, null, ">= " + Figure.plain(least), value >= least);
    }
}
