package svc.bench.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.BenchTables;
import svc.bench.measure.Exchange;
import svc.bench.measure.Figure;
import svc.bench.measure.Measured;
import svc.bench.measure.Suite;
import svc.bench.measure.Tool;
import svc.e2e.platform.Platform;
import svc.e2e.platform.ProcessorTime;

/** What a REST request costs in processor time, of the platform and of PostgreSQL, under the load of {@link RestSuite}. */
public final class RestCostSuite implements Suite {
    private static final double MICROS = 1e6;

    @Override
    public String name() {
        return "rest-cost";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Tool> wrk = Tool.find("wrk");
        if (wrk.isEmpty()) {
            System.err.println("rest-cost: skipped, there is no wrk (Debian: apt-get install wrk), the load");
            return List.of();
        }
        return RestProjects.measure(wrk.get(), (platform, projects, work) -> measure(platform, projects));
    }

    private static List<Figure> measure(Platform platform, RestProjects projects) throws IOException {
        Path callers = projects.callers("one", List.of(projects.create(BenchTables.all())));
        var figures = new ArrayList<Figure>();
        for (Exchange exchange : RestSuite.EXCHANGES) {
            figures.addAll(cost(platform, projects, callers, exchange, exchange.name()));
        }
        List<JsonNode> some = new ArrayList<>();
        for (int i = 0; i < RestSuite.SOME_PROJECTS; i++) {
            some.add(projects.create(BenchTables.item()));
        }
        Path taking = projects.callers("some", some);
        Exchange read = Exchange.READ_BY_KEY;
        figures.addAll(cost(platform, projects, taking, read, read.name() + " of 100 projects in rotation"));
        return figures;
    }

    private static List<Figure> cost(
            Platform platform, RestProjects projects, Path callers, Exchange exchange, String name) throws IOException {
        for (int i = 0; i < RestSuite.WARM_UP_RUNS; i++) {
            projects.run(callers, exchange);
        }
        ProcessHandle server = BenchDatabase.of(platform).server();
        double platformBefore = ProcessorTime.of(platform.process());
        double serverBefore = ProcessorTime.ofTree(server);
        Measured run = projects.run(callers, exchange);
        double micros = MICROS / (run.perSecond() * RestProjects.SECONDS);
        return List.of(
                Figure.watched(name + ", answers", run.perSecond(), "1/s"),
                Figure.watched(name + ", p99", run.p99Millis(), "ms"),
                Figure.watched(
                        name + ", platform's processor",
                        (ProcessorTime.of(platform.process()) - platformBefore) * micros,
                        "us"),
                Figure.watched(
                        name + ", PostgreSQL's processor",
                        (ProcessorTime.ofTree(server) - serverBefore) * micros,
                        "us"));
    }
}
