package svc.bench.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/** How long a deploy takes on one machine, from the call to the answer, which comes when the code serves. */
public final class FunctionDeploySuite implements Suite {
    private static final int WARM_UP = 3;
    private static final int SAMPLES = 30;

    @Override
    public String name() {
        return "functions-deploy";
    }

    @Override
    public List<Figure> run() throws Exception {
        // Itself the data folder: no folder above it may keep PostgreSQL's user out.
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            ControlPlane controlPlane = platform.controlPlane();
            String path = "/projects/" + controlPlane.create("bench").get("ref").asText() + "/functions/deploy";
            Duration first = deploy(controlPlane, path, "first", 0);
            for (int i = 0; i < WARM_UP; i++) {
                deploy(controlPlane, path, "warm", i);
            }
            var created = new ArrayList<Duration>();
            var changed = new ArrayList<Duration>();
            for (int i = 0; i < SAMPLES; i++) {
                created.add(deploy(controlPlane, path, "hello-" + i, 0));
                changed.add(deploy(controlPlane, path, "first", i + 1));
            }
            return List.of(
                    Figure.watched("first deploy after a start", first.toMillis(), "ms"),
                    Figure.atMost(
                            "new hello-world to serving, p50 of " + SAMPLES,
                            Samples.of(created).median(),
                            "ms",
                            700),
                    Figure.watched(
                            "new hello-world to serving, p95",
                            Samples.of(created).percentile(95),
                            "ms"),
                    Figure.atMost(
                            "changed hello-world to serving, p50 of " + SAMPLES,
                            Samples.of(changed).median(),
                            "ms",
                            700));
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static Duration deploy(ControlPlane controlPlane, String path, String name, int number) throws IOException {
        String source = "export default (request: Request): Response => new Response('hello " + number + "');";
        long begin = System.nanoTime();
        String status = controlPlane
                .post(path, Map.of("name", name, "source", source))
                .expect(201)
                .json()
                .get("status")
                .asText();
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        if (!status.equals("ACTIVE")) {
            throw new IOException("a deploy was answered before it served: " + status);
        }
        return taken;
    }
}
