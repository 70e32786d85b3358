package svc.bench.siege;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.bench.measure.Figure;

/**
 * The activities of a neighbour during one attack, beside the same without it.
 *
 * @param maxTimesCalm what a 99th percentile may be of the calm one
 * @param untargeted activities that may take any time, and must not fail
 */
record SiegeTable(
        String attack,
        Map<String, Neighbour.Period> calm,
        Map<String, Neighbour.Period> attacked,
        double maxTimesCalm,
        Set<String> untargeted) {
    private static final String HEAD = "%-26s %12s %12s %8s %8s %9s%n";
    private static final String ROW = "%-26s %12.1f %12.1f %8.2f %8d %9d%n";

    private double ratio(String activity) {
        return attacked.get(activity).p99() / calm.get(activity).p99();
    }

    private boolean met(String activity) {
        return (untargeted.contains(activity) || ratio(activity) <= maxTimesCalm)
                && attacked.get(activity).failures().isEmpty();
    }

    /** One for the time of each activity, and one for the failures of all. */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        attacked.forEach((activity, period) ->
                figures.add(figure(activity, period.p99(), calm.get(activity).p99())));
        int failures = attacked.values().stream()
                .mapToInt(period -> period.failures().size())
                .sum();
        figures.add(Figure.atMost(subject() + ": failures", failures, "", 0));
        return figures;
    }

    private Figure figure(String activity, double attackedMillis, double calmMillis) {
        String name = subject() + ": " + activity + ", p99";
        return untargeted.contains(activity)
                ? Figure.watchedBeside(name, attackedMillis, "ms", "calm", calmMillis)
                : Figure.costAgainstPeer(name, attackedMillis, "ms", "calm", calmMillis, maxTimesCalm);
    }

    /** Of the attack's name. */
    private String subject() {
        return attack.substring(0, attack.indexOf(':'));
    }

    @Override
    public String toString() {
        var table = new StringBuilder("\n" + attack + "\n");
        table.append(HEAD.formatted("activity", "calm, ms", "attack, ms", "ratio", "done", "failures"));
        attacked.forEach((activity, period) -> table.append(ROW.formatted(
                activity,
                calm.get(activity).p99(),
                period.p99(),
                ratio(activity),
                period.answered().size(),
                period.failures().size())));
        List<String> missed =
                attacked.keySet().stream().filter(activity -> !met(activity)).toList();
        return table.append(
                        missed.isEmpty()
                                ? "met: at most %s times calm, none failed".formatted(Figure.plain(maxTimesCalm))
                                : "NOT met by: " + String.join("; ", missed))
                .toString();
    }
}
