package svc.realtime.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.catalog.Table;
import svc.platform.memory.ByteBudget;
import svc.realtime.change.ChangeData;
import svc.realtime.filter.Comparison;
import svc.realtime.row.ChangeJson;
import svc.realtime.row.ChangedRow;

/**
 * A change on its way to one group of callers: the bindings whose filters it passes, and what PostgreSQL must still say.
 */
@SuppressWarnings("ReferenceEquality") // One subscription is one object.
final class PendingChange {
    private final SharedRow row;
    private final TableAccess access;
    private final List<Match> matches;
    private final boolean checked;
    private final Optional<String> obstacle;

    /** Set by the answers of PostgreSQL. */
    private boolean visible = true;

    private Map<String, String> reread = Map.of();
    private ByteBudget.Permit permit;
    private final Map<Comparison, Boolean> passing = new HashMap<>(0);

    /** What was made of it for this group. */
    private final Map<ChangeJson.View, ChangeData> own = new HashMap<>(2);

    private Optional<List<String>> lastSelect = Optional.empty();
    private ChangeData last;

    /** A change with the JSON that was made of it, which equal views share. */
    record SharedRow(ChangedRow row, String schema, Map<ChangeJson.View, ChangeData> json) {
        SharedRow(ChangedRow row, String schema) {
            this(row, schema, new HashMap<>(2));
        }
    }

    /** A binding whose filter the change passes, but for what PostgreSQL must decide. */
    record Match(FeedSubscription subscription, ParsedBinding binding, List<Comparison> undecided) {}

    PendingChange(SharedRow row, TableAccess access, List<Match> matches, Optional<String> obstacle) {
        this.row = row;
        this.access = access;
        this.matches = new ArrayList<>(matches);
        this.obstacle = obstacle;
        this.checked = access.rowSecurity() && row.row().type() != ChangedRow.Type.DELETE;
    }

    ChangedRow row() {
        return row.row();
    }

    SharedRow shared() {
        return row;
    }

    /** False when it was not for that subscription. */
    boolean withdraw(FeedSubscription subscription) {
        return matches.removeIf(match -> match.subscription.equals(subscription));
    }

    int bytes() {
        return row.row().change().bytes();
    }

    /** Takes its share of the memory for changes that wait; false when there is none. */
    boolean hold(ByteBudget.Permit granted) {
        permit = granted;
        return granted.grow(bytes()) == ByteBudget.Verdict.GRANTED;
    }

    void release() {
        permit.close();
    }

    /** Whether PostgreSQL must be asked for the row itself. */
    boolean needsRow() {
        return obstacle.isEmpty() && (checked || !missing().isEmpty());
    }

    boolean needsStatement() {
        return needsRow() || (obstacle.isEmpty() && matches.stream().anyMatch(match -> !match.undecided.isEmpty()));
    }

    /** Columns that the log has not and the caller may read. */
    List<Table.Column> missing() {
        return row().missing().isEmpty()
                ? List.of()
                : row().missing().stream()
                        .filter(column -> access.selectable().contains(column.name()))
                        .toList();
    }

    List<Comparison> undecided() {
        return obstacle.isPresent()
                ? List.of()
                : matches.stream()
                        .flatMap(match -> match.undecided.stream())
                        .distinct()
                        .toList();
    }

    /** The values of the primary key, in its order. */
    List<String> key() {
        return row().table().primaryKey().stream()
                .map(column -> row().value(column).orElse(""))
                .toList();
    }

    /** @param values of {@link #missing()}, as JSON; empty when the caller does not see the row */
    void answered(Optional<List<String>> values) {
        if (values.isEmpty()) {
            // Without row security the row is seen as it was, also when it is gone by now.
            visible = !checked;
            return;
        }
        reread = new LinkedHashMap<>();
        List<Table.Column> columns = missing();
        for (int i = 0; i < Math.min(columns.size(), values.get().size()); i++) {
            reread.put(columns.get(i).name(), values.get().get(i));
        }
    }

    void decided(Comparison comparison, boolean passes) {
        passing.put(comparison, passes);
    }

    /** Hands it to the bindings that it is for. @return how many channels got it */
    int deliver() {
        if (!visible) {
            return 0;
        }
        int channels = 0;
        int next;
        for (int from = 0; from < matches.size(); from = next) {
            FeedSubscription subscription = matches.get(from).subscription;
            next = from + 1;
            while (next < matches.size() && matches.get(next).subscription == subscription) {
                next++;
            }
            if (subscription.isActive() && deliver(subscription, matches.subList(from, next))) {
                channels++;
            }
        }
        return channels;
    }

    private boolean deliver(FeedSubscription subscription, List<Match> bindings) {
        if (bindings.size() == 1) {
            Match match = bindings.getFirst();
            if (passes(match)) {
                subscription.changed(List.of(match.binding.id()), data(match));
                return true;
            }
            return false;
        }
        // The bindings of a channel that see the same get one event with the numbers of all.
        Map<ChangeData, Set<Integer>> views = new LinkedHashMap<>();
        for (Match match : bindings) {
            if (passes(match)) {
                views.computeIfAbsent(data(match), key -> new LinkedHashSet<>()).add(match.binding.id());
            }
        }
        views.forEach((data, ids) -> subscription.changed(List.copyOf(ids), data));
        return !views.isEmpty();
    }

    private boolean passes(Match match) {
        for (Comparison comparison : match.undecided) {
            if (!passing.getOrDefault(comparison, false)) {
                return false;
            }
        }
        return true;
    }

    /** Most receivers want what the one before them got. */
    private ChangeData data(Match match) {
        Optional<List<String>> select = match.binding.binding().select();
        if (last == null || !select.equals(lastSelect)) {
            ChangeJson.View view = new ChangeJson.View(access.selectable(), select, access.rowSecurity());
            last = own.computeIfAbsent(view, this::made);
            lastSelect = select;
        }
        return last;
    }

    private ChangeData made(ChangeJson.View view) {
        if (obstacle.isPresent()) {
            return new ChangeData(ChangeJson.refused(row(), row.schema, obstacle.get()));
        }
        return reread.isEmpty()
                ? row.json.computeIfAbsent(view, key -> new ChangeData(ChangeJson.of(row(), row.schema, key, Map.of())))
                : new ChangeData(ChangeJson.of(row(), row.schema, view, reread));
    }
}
