package svc.operator.watch.rule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the watch has done about one project lately. Bounded: strikes up to the limit, and the last tables. */
final class ProjectHistory {
    /** A project with more tables that run code than this is forgotten the oldest of them. */
    static final int MAX_TABLES = 32;

    private final Deque<Instant> strikes = new ArrayDeque<>();
    private final Map<Rule, Instant> warned = new EnumMap<>(Rule.class);
    private final Map<Long, Integer> endedMaintenance = new LinkedHashMap<>();

    /** Adds a strike; true when there are as many as the limit within the window, which then starts again. */
    boolean strike(Instant now, WatchLimits limits) {
        strikes.addLast(now);
        while (strikes.peekFirst().isBefore(now.minus(limits.strikeWindow()))) {
            strikes.removeFirst();
        }
        boolean full = strikes.size() >= limits.strikes();
        if (full) {
            strikes.clear();
        }
        return full;
    }

    /** True once in each window. */
    boolean warns(Rule rule, Instant now, Duration window) {
        Instant before = warned.get(rule);
        if (before != null && now.isBefore(before.plus(window))) {
            return false;
        }
        warned.put(rule, now);
        return true;
    }

    /** How often maintenance of the table was ended, this time included. */
    int maintenanceEnded(long table) {
        int times = endedMaintenance.getOrDefault(table, 0) + 1;
        endedMaintenance.remove(table);
        endedMaintenance.put(table, times);
        if (endedMaintenance.size() > MAX_TABLES) {
            endedMaintenance.remove(endedMaintenance.keySet().iterator().next());
        }
        return times;
    }
}
