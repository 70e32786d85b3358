package svc.operator.watch.rule;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What projects use of something over time. Each use fills the project's level, which drains at the permitted rate, so bursts
 * cost nothing and a lasting excess is found. Remembers only projects above the rate. Not safe for concurrent use.
 */
final class UseRate {
    /** A project at twice the permitted rate is found after as long. */
    static final Duration WINDOW = Duration.ofMinutes(1);

    /** Between two samples at most this time counts: in a longer pause the use is unknown. */
    static final Duration MAX_STEP = Duration.ofSeconds(2);

    private final double perSecond;
    private final Map<UUID, Double> levels = new HashMap<>();

    /** @param perSecond what a project may use in the long run */
    UseRate(double perSecond) {
        this.perSecond = perSecond;
    }

    void use(UUID project, double amount) {
        levels.merge(project, amount, Double::sum);
    }

    /**
     * Drains all levels, after the uses of the step were added.
     *
     * @return the projects that have used too much for too long
     */
    List<UUID> drain(Duration step) {
        double drained = perSecond * seconds(step);
        levels.replaceAll((project, level) -> level - drained);
        levels.values().removeIf(level -> level <= 0);
        double full = perSecond * seconds(WINDOW);
        return levels.entrySet().stream()
                .filter(entry -> entry.getValue() > full)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
