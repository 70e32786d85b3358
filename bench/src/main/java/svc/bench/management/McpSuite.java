package svc.bench.management;

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

/** What a tool of the MCP server costs over the call of {@code /v1} that does the same, in turns. */
public final class McpSuite implements Suite {
    private static final int WARM_UP_PROJECTS = 3;
    private static final int PROJECTS = 8;

    /** Of each project and side: SQL is limited to 30 calls a minute and project, tools to 240 a minute and token. */
    private static final int RUNS = 12;

    private static final double LIMIT_MILLIS = 10;
    private static final String SQL = "select 1 as one";

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            return compare(platform.controlPlane());
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static List<Figure> compare(ControlPlane api) throws Exception {
        var tool = new ArrayList<Duration>();
        var call = new ArrayList<Duration>();
        var listTool = new ArrayList<Duration>();
        var listCall = new ArrayList<Duration>();
        for (int i = 0; i < WARM_UP_PROJECTS + PROJECTS; i++) {
            String ref = api.create("bench " + i).get("ref").asText();
            for (int run = 0; run < RUNS; run++) {
                boolean counts = i >= WARM_UP_PROJECTS && run > 0;
                Duration plain = timed(() -> api.query(ref, SQL).expect(201));
                Duration ours = timed(() -> tool(api, "execute_sql", Map.of("project_id", ref, "query", SQL)));
                if (counts) {
                    call.add(plain);
                    tool.add(ours);
                }
            }
            Duration plain = timed(() -> api.get("/projects/" + ref).expect(200));
            Duration ours = timed(() -> tool(api, "get_project", Map.of("id", ref)));
            if (i >= WARM_UP_PROJECTS) {
                listCall.add(plain);
                listTool.add(ours);
            }
        }
        double sql = Samples.of(tool).median();
        double plain = Samples.of(call).median();
        double get = Samples.of(listTool).median() - Samples.of(listCall).median();
        return List.of(
                Figure.atMost("MCP execute_sql over POST database/query, p50", sql - plain, "ms", LIMIT_MILLIS),
                Figure.atMost("MCP get_project over GET projects/{ref}, p50", get, "ms", LIMIT_MILLIS),
                Figure.watched("MCP execute_sql, p50", sql, "ms"),
                Figure.watched("POST database/query, p50", plain, "ms"));
    }

    private static void tool(ControlPlane api, String name, Map<String, ?> arguments) throws IOException {
        var answer = api.post(
                        "/mcp",
                        Map.of(
                                "jsonrpc",
                                "2.0",
                                "id",
                                1,
                                "method",
                                "tools/call",
                                "params",
                                Map.of("name", name, "arguments", arguments)))
                .expect(200);
        if (!answer.json().has("result") || answer.json().at("/result/isError").asBoolean()) {
            throw new IOException("the tool " + name + " failed: " + answer);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Duration timed(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
