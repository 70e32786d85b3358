package svc.bench.siege;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import svc.bench.measure.Figure;
import svc.bench.measure.Suite;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * What projects of one organisation, by their own SQL, cost the projects of another one on the same database: the 99th
 * percentile of each of its activities during each attack against the same before all of them, and its failures.
 */
public final class NeighboursSuite implements Suite {
    private static final String ADDRESS_OF_ATTACKERS = "127.0.0.3";
    private static final double MAX_TIMES_CALM = 10;
    private static final int SHOWN_FAILURES = 3;

    @Override
    public String name() {
        return "neighbours";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            return measure(platform, SiegeScale.ofProperties());
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static List<Figure> measure(Platform platform, SiegeScale scale) throws Exception {
        List<Attack> attacks = attacks(Tenant.first(platform, ADDRESS_OF_ATTACKERS), scale);
        List<Figure> figures = new ArrayList<>();
        try (var neighbour = new NeighbourActivities(platform)) {
            List<Activity> activities = neighbour.all();
            Activity.allFor(activities, scale.warmUp());
            Map<String, Neighbour.Period> calm = Activity.allFor(activities, scale.calm());
            showFailures("calm", calm);
            for (Attack attack : attacks) {
                System.err.println("attack: " + attack.name());
                Map<String, Neighbour.Period> attacked;
                try (AutoCloseable held = attack.start().begin()) {
                    attacked = Activity.allFor(activities, scale.attack());
                }
                showFailures(attack.name(), attacked);
                var table =
                        new SiegeTable(attack.name(), calm, attacked, MAX_TIMES_CALM, NeighbourActivities.UNTARGETED);
                System.out.println(table);
                figures.addAll(table.figures());
            }
        }
        return figures;
    }

    private static List<Attack> attacks(Tenant attackers, SiegeScale scale) throws IOException {
        List<Attack> attacks = Stream.of(
                        new DatabaseAttacks(attackers, scale).attacks(),
                        new SharedWorkAttacks(attackers).attacks(),
                        new LogAttacks(attackers, scale).attacks())
                .flatMap(List::stream)
                .filter(scale::has)
                .toList();
        if (attacks.isEmpty()) {
            throw new IOException("no attack has a name with one of the texts of svc.bench.siege.attacks");
        }
        return attacks;
    }

    private static void showFailures(String during, Map<String, Neighbour.Period> periods) {
        periods.forEach((activity, period) -> period.failures().stream()
                .limit(SHOWN_FAILURES)
                .forEach(failure -> System.err.println(during + ", " + activity + ": " + failure)));
    }
}
