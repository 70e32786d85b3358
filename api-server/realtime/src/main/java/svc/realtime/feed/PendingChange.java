package svc.realtime.feed;

import java.util.Collection;
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
import svc.realtime.feed.TableFilter.Decision;
import svc.realtime.filter.Comparison;
import svc.realtime.row.ChangeJson;
import svc.realtime.row.ChangedRow;

/**
 * A change on its way to one group of callers, and what PostgreSQL must still say. It keeps no list of its receivers, whose
 * number strangers decide: they are found again when it is delivered.
 */
final class PendingChange {
    /** Of an undecided condition, or a subscription that is not passed, in bytes of heap. */
    private static final int OPEN_BYTES = 64;

    private final SharedRow row;
    private final TableAccess access;
    private final Optional<FeedSubscription> only;
    private final RowOffer.Open open;
    private final boolean checked;
    private final Optional<String> obstacle;

    /** Set by the answers of PostgreSQL. */
    private boolean visible = true;

    private boolean withdrawn;

    private Map<String, String> reread = Map.of();
    private ByteBudget.Permit permit;
    private final Map<Comparison, Boolean> passing = new HashMap<>(0);

    /** What was made of it for this group. */
    private final Map<ChangeJson.View, ChangeData> own = new HashMap<>(2);

    private Optional<List<String>> lastSelect = Optional.empty();
    private ChangeData last;

    /**
     * A change with the JSON that was made of it, which equal views share.
     *
     * @param number rises with each change of the project
     */
    record SharedRow(long number, ChangedRow row, String schema, Map<ChangeJson.View, ChangeData> json) {
        SharedRow(long number, ChangedRow row, String schema) {
            this(number, row, schema, new HashMap<>(2));
        }
    }

    /**
     * @param only the one subscription that it is for; empty for all of the group that began before it
     */
    PendingChange(SharedRow row, TableAccess access, RowOffer.Open open, Optional<FeedSubscription> only) {
        this.row = row;
        this.access = access;
        this.open = open;
        this.only = only;
        this.obstacle = ChangeJson.obstacle(row.row(), access.selectable());
        this.checked = access.rowSecurity() && row.row().type() != ChangedRow.Type.DELETE;
    }

    ChangedRow row() {
        return row.row();
    }

    SharedRow shared() {
        return row;
    }

    /** Takes a subscription out, which leaves the group. @return whether it would have received the change */
    boolean withdraw(FeedSubscription subscription) {
        boolean received = !withdrawn
                && receives(subscription)
                && subscription.bindings().stream().anyMatch(binding -> binding.asksFor(row()) && mayPass(binding));
        withdrawn |= only.filter(subscription::equals).isPresent();
        return received;
    }

    private boolean receives(FeedSubscription subscription) {
        return only.map(subscription::equals).orElseGet(() -> subscription.receives(row));
    }

    private boolean mayPass(ParsedBinding binding) {
        return obstacle.isPresent() || binding.decide(row, access).mayPass();
    }

    int bytes() {
        return row.row().change().bytes()
                + OPEN_BYTES * (open.undecided().size() + open.beyond().size());
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
        return needsRow() || !open.undecided().isEmpty();
    }

    /** Columns that the log has not and the caller may read. */
    List<Table.Column> missing() {
        return row().missing().isEmpty()
                ? List.of()
                : row().missing().stream()
                        .filter(column -> access.selectable().contains(column.name()))
                        .toList();
    }

    /** What PostgreSQL must decide for a row that the caller sees: a condition on another one could tell what it has. */
    Set<Comparison> undecided() {
        return visible ? open.undecided() : Set.of();
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
    int deliver(Collection<FeedSubscription> members) {
        if (!visible || withdrawn) {
            return 0;
        }
        Collection<FeedSubscription> receivers = only.isPresent() ? List.of(only.get()) : members;
        open.beyond().forEach(subscription -> subscription.failedOnce(RowOffer.TOO_MANY_ASKED));
        int channels = 0;
        for (FeedSubscription subscription : receivers) {
            if (subscription.isActive() && receives(subscription) && deliver(subscription)) {
                channels++;
            }
        }
        return channels;
    }

    private boolean deliver(FeedSubscription subscription) {
        if (subscription.bindings().size() == 1) {
            ParsedBinding binding = subscription.bindings().getFirst();
            boolean passes = binding.asksFor(row()) && passes(binding);
            if (passes) {
                subscription.changed(List.of(binding.id()), data(binding));
            }
            return passes;
        }
        // The bindings of a channel that see the same get one event with the numbers of all.
        Map<ChangeData, Set<Integer>> views = new LinkedHashMap<>(2);
        for (ParsedBinding binding : subscription.bindings()) {
            if (binding.asksFor(row()) && passes(binding)) {
                views.computeIfAbsent(data(binding), key -> new LinkedHashSet<>(2))
                        .add(binding.id());
            }
        }
        views.forEach((data, ids) -> subscription.changed(List.copyOf(ids), data));
        return !views.isEmpty();
    }

    private boolean passes(ParsedBinding binding) {
        if (obstacle.isPresent()) {
            return true;
        }
        Decision decision = binding.decide(row, access);
        if (!decision.mayPass()) {
            return false;
        }
        for (Comparison comparison : decision.undecided()) {
            if (!passing.getOrDefault(comparison, false)) {
                return false;
            }
        }
        return true;
    }

    /** Most receivers want what the one before them got. */
    private ChangeData data(ParsedBinding binding) {
        Optional<List<String>> select = binding.binding().select();
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
