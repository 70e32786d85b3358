package svc.bench.siege;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How long and how large {@link NeighboursSuite} is, by system properties {@code svc.bench.siege.…}.
 *
 * @param attacks texts ({@code attacks}, with commas): an attack runs if its name contains one of them; none means all
 * @param warmUp without a measurement ({@code warm-up-seconds})
 * @param calm before the attacks ({@code calm-seconds})
 * @param attack of each attack ({@code attack-seconds})
 * @param projects with sessions of SQL ({@code projects})
 * @param functions of one name ({@code functions})
 * @param rows of one INSERT ({@code rows})
 * @param rowMebibytes of the largest row ({@code row-mib})
 * @param tables that are published and locked ({@code tables})
 */
record SiegeScale(
        List<String> attacks,
        Duration warmUp,
        Duration calm,
        Duration attack,
        int projects,
        int functions,
        int rows,
        int rowMebibytes,
        int tables) {
    private static final String PREFIX = "svc.bench.siege.";

    static SiegeScale ofProperties() {
        return new SiegeScale(
                Arrays.stream(System.getProperty(PREFIX + "attacks", "").split(","))
                        .map(String::strip)
                        .toList(),
                seconds("warm-up-seconds", 20),
                seconds("calm-seconds", 40),
                seconds("attack-seconds", 30),
                number("projects", 76),
                number("functions", 40_000),
                number("rows", 1_500_000),
                number("row-mib", 1_050),
                number("tables", 250));
    }

    boolean has(Attack attack) {
        return attacks.stream().anyMatch(attack.name()::contains);
    }

    private static Duration seconds(String name, int usual) {
        return Duration.ofSeconds(number(name, usual));
    }

    private static int number(String name, int usual) {
        return Integer.getInteger(PREFIX + name, usual);
    }
}
