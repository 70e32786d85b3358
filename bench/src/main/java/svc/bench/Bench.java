package svc.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import svc.bench.auth.AuthSuite;
import svc.bench.functions.FunctionDeploySuite;
import svc.bench.functions.FunctionGatewaySuite;
import svc.bench.functions.FunctionsSuite;
import svc.bench.management.LogsSuite;
import svc.bench.management.McpSuite;
import svc.bench.management.MigrationFolderSuite;
import svc.bench.management.PostgresEndpointSuite;
import svc.bench.management.SqlEndpointSuite;
import svc.bench.management.SqlGateSuite;
import svc.bench.management.TypesAndAdvisorsSuite;
import svc.bench.management.UnendingFunctionsSuite;
import svc.bench.measure.Figure;
import svc.bench.measure.Report;
import svc.bench.measure.Suite;
import svc.bench.operator.EmbeddedKubernetesSuite;
import svc.bench.operator.FleetSuite;
import svc.bench.operator.PlatformSuite;
import svc.bench.operator.ProvisioningSuite;
import svc.bench.operator.ReadinessSuite;
import svc.bench.realtime.RealtimeSuite;
import svc.bench.rest.GraphqlSuite;
import svc.bench.rest.RestCostSuite;
import svc.bench.rest.RestSuite;
import svc.bench.siege.NeighboursSuite;
import svc.bench.siege.SiegeSuite;
import svc.bench.storage.StorageSuite;

/** {@code ./svc bench}: runs the suites asked for, or all, and reports. Exits with 1 when a target is missed. */
public final class Bench {
    private static final List<Suite> SUITES = List.of(
            new EmbeddedKubernetesSuite(),
            new ProvisioningSuite(),
            new ReadinessSuite(),
            new FleetSuite(),
            new PlatformSuite(),
            new RestSuite(),
            new RestCostSuite(),
            new AuthSuite(),
            new SqlGateSuite(),
            new SqlEndpointSuite(),
            new PostgresEndpointSuite(),
            new McpSuite(),
            new TypesAndAdvisorsSuite(),
            new MigrationFolderSuite(),
            new FunctionsSuite(),
            new FunctionGatewaySuite(),
            new FunctionDeploySuite(),
            new StorageSuite(),
            new GraphqlSuite(),
            new RealtimeSuite(),
            new LogsSuite(),
            new SiegeSuite(),
            new NeighboursSuite(),
            new UnendingFunctionsSuite());
    private static final Path FILE = Path.of("target", "bench.json");

    private Bench() {}

    /** @param arguments names of suites; none means all */
    public static void main(String[] arguments) {
        quieten();
        try {
            System.exit(run(arguments));
        } catch (Exception e) {
            // Threads of a client or a server may still be alive: only an exit ends the process.
            System.err.println("svc bench: " + e);
            System.exit(1);
        }
    }

    /** Servers in this process log what the platform does: without this they log each step, which takes most of their time. */
    static void quieten() {
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        Logger.getLogger("").setLevel(Level.WARNING);
    }

    private static int run(String[] arguments) throws Exception {
        Set<String> wanted = new TreeSet<>(List.of(arguments));
        Set<String> known = SUITES.stream().map(Suite::name).collect(Collectors.toCollection(TreeSet::new));
        if (!known.containsAll(wanted)) {
            System.err.println("svc bench: there is no such suite; there are " + String.join(", ", known));
            return 2;
        }
        var figures = new ArrayList<Figure>();
        for (Suite suite : SUITES) {
            if (wanted.isEmpty() || wanted.contains(suite.name())) {
                System.err.println("measuring " + suite.name() + " ...");
                figures.addAll(suite.run());
            }
        }
        var report = new Report(figures);
        System.out.print(report.table());
        report.write(FILE);
        System.out.println("written to " + FILE);
        return figures.stream().allMatch(Figure::met) ? 0 : 1;
    }
}
