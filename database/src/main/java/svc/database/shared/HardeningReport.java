package svc.database.shared;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The changes of one run of the hardening, in order.
 *
 * @param changes empty when the database was hardened already
 * @param unavailableExtensions allowed extensions whose files the server does not have; not a change, so reported by every run
 * @param warnings settings of the server that only its administrator can change; reported by every run
 */
public record HardeningReport(List<Change> changes, List<String> unavailableExtensions, List<String> warnings) {

    public HardeningReport {
        changes = List.copyOf(changes);
        unavailableExtensions = List.copyOf(unavailableExtensions);
        warnings = List.copyOf(warnings);
    }

    /**
     * @param name the object, as SQL names it ({@code function pg_ls_dir(text)})
     * @param what what was done to it, in the past tense
     */
    public record Change(String name, String what) {
        @Override
        public String toString() {
            return name + ": " + what;
        }
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Each kind of change with its count, for a log line: a first run makes some three thousand changes. */
    public String summary() {
        Map<String, Long> counts = changes.stream()
                .collect(Collectors.groupingBy(
                        change -> change.name().split(" ", 2)[0] + " " + change.what(), Collectors.counting()));
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(count -> count.getKey() + " (" + count.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
