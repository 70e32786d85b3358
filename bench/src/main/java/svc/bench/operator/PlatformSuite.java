package svc.bench.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.platform.ResidentMemory;
import svc.embedded.process.Folders;

/** The platform as {@code ./svc up} runs it: how long it takes to start and to make a project, and what it holds. */
public final class PlatformSuite implements Suite {
    private static final int WARM_UP = 20;
    private static final int SAMPLES = 200;
    private static final double MEBI = 1024.0 * 1024.0;

    @Override
    public String name() {
        return "platform";
    }

    @Override
    public List<Figure> run() throws Exception {
        // Itself the data folder: no folder above it may keep PostgreSQL's user out.
        Path data = Files.createTempDirectory("svc-bench-");
        try {
            Platform.start(PlatformCommand.onFreePorts(data)).close();
            // The start that counts is the second one, on data that exists.
            long begin = System.nanoTime();
            try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
                double startSeconds = (System.nanoTime() - begin) / 1e9;
                create(platform.controlPlane(), WARM_UP);
                Samples created = create(platform.controlPlane(), SAMPLES);
                ResidentMemory memory = ResidentMemory.ofTree(platform.process());
                return List.of(
                        Figure.atMost("second start to first answer", startSeconds, "s", 15),
                        Figure.atMost("POST /v1/projects to Ready, p50 of " + SAMPLES, created.median(), "ms", 150),
                        Figure.watched("POST /v1/projects to Ready, p95 of " + SAMPLES, created.percentile(95), "ms"),
                        Figure.atMost("RSS of all its processes, summed", memory.summed() / MEBI, "MiB", 900),
                        Figure.watched(
                                "memory of all its processes, shared pages once", memory.shared() / MEBI, "MiB"));
            }
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    /** One after the other, each until its answer, which comes when it is Ready. */
    private static Samples create(ControlPlane controlPlane, int count) throws IOException {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            String status = controlPlane.create("bench " + i).get("status").asText();
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
            if (!status.equals("ACTIVE_HEALTHY")) {
                throw new IOException("a project was answered before it was Ready: " + status);
            }
        }
        return Samples.of(measured);
    }
}
