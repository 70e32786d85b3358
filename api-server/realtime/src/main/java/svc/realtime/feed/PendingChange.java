package svc.realtime.feed;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.catalog.Table;
import svc.platform.memory.ByteBudget;
import svc.realtime.filter.Comparison;
import svc.realtime.row.ChangeJson;
import svc.realtime.row.ChangedRow;

/**
 * A change on its way to one group of callers: the bindings whose filters it passes, and what PostgreSQL must still say.
 */
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

    /** A change with the JSON that was made of it, which equal views share. */
    record SharedRow(ChangedRow row, String schema, Map<ChangeJson.View, Buffer> json) {
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
        // The bindings of a channel that see the same get one event with the numbers of all.
        Map<FeedSubscription, Map<ChangeJson.View, List<Integer>>> receivers = new LinkedHashMap<>();
        for (Match match : matches) {
            if (match.subscription.isActive()
                    && match.undecided.stream().allMatch(comparison -> passing.getOrDefault(comparison, false))) {
                receivers
                        .computeIfAbsent(match.subscription, key -> new LinkedHashMap<>(1))
                        .computeIfAbsent(view(match), key -> new ArrayList<>(1))
                        .add(match.binding.id());
            }
        }
        receivers.forEach((subscription, views) -> views.forEach(
                (view, ids) -> subscription.changed(ids.stream().distinct().toList(), json(view))));
        return receivers.size();
    }

    private ChangeJson.View view(Match match) {
        return new ChangeJson.View(access.selectable(), match.binding.binding().select(), access.rowSecurity());
    }

    private Buffer json(ChangeJson.View view) {
        if (obstacle.isPresent()) {
            return ChangeJson.refused(row(), row.schema, obstacle.get());
        }
        return reread.isEmpty()
                ? row.json.computeIfAbsent(view, key -> ChangeJson.of(row(), row.schema, key, Map.of()))
                : ChangeJson.of(row(), row.schema, view, reread);
    }
}
