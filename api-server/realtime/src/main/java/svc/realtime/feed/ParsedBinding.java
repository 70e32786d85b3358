package svc.realtime.feed;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.catalog.Table;
import svc.realtime.change.ChangeBinding;
import svc.realtime.change.NumberedBinding;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.feed.TableFilter.Decision;
import svc.realtime.filter.Condition;
import svc.realtime.filter.FilterParser;
import svc.realtime.row.ChangedRow;

/** A binding, parsed. */
final class ParsedBinding {
    private static final Set<String> EVENTS = Set.of("*", "INSERT", "UPDATE", "DELETE");
    private static final String ALL = "*";

    private final NumberedBinding numbered;
    private final TableFilter filter;

    private ParsedBinding(NumberedBinding numbered, TableFilter filter) {
        this.numbered = numbered;
        this.filter = filter;
    }

    /** A binding, or why it cannot be served. */
    sealed interface Parsed {
        record Binding(ParsedBinding binding) implements Parsed {}

        record Refused(String message) implements Parsed {}
    }

    static Parsed parse(NumberedBinding numbered) {
        ChangeBinding binding = numbered.binding();
        if (!EVENTS.contains(binding.event())) {
            return new Parsed.Refused(described(binding, List.of()));
        }
        String filter = binding.filter().orElse("");
        Optional<List<Condition>> conditions = filter.isEmpty() ? Optional.of(List.of()) : FilterParser.parse(filter);
        if (conditions.isEmpty()) {
            return new Parsed.Refused("Error parsing `filter` params: [\"" + shortened(filter) + "\"]");
        }
        var parsed = new ParsedBinding(numbered, new TableFilter(conditions.get()));
        if (parsed.everyTable()
                && (!conditions.get().isEmpty() || binding.select().isPresent())) {
            return new Parsed.Refused("Error parsing `filter` params: a filter or `select` needs a table");
        }
        return new Parsed.Binding(parsed);
    }

    private static String shortened(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }

    int id() {
        return numbered.id();
    }

    ChangeBinding binding() {
        return numbered.binding();
    }

    boolean everyTable() {
        return numbered.binding().table().filter(name -> !name.equals(ALL)).isEmpty();
    }

    /** Whether it asks for the tables of this schema, by the name that applications use. */
    boolean hasSchema(String schema) {
        return numbered.binding().schema().equals(ALL)
                || numbered.binding().schema().equals(schema);
    }

    boolean asksFor(ChangedRow row) {
        String event = numbered.binding().event();
        return (event.equals(ALL) || event.equals(row.type().name()))
                && (everyTable()
                        || numbered.binding()
                                .table()
                                .orElseThrow()
                                .equals(row.table().name()));
    }

    /** None for a binding of every table. */
    TableFilter filter() {
        return filter;
    }

    /** The same with an equal filter. */
    ParsedBinding with(TableFilter equal) {
        return new ParsedBinding(numbered, equal);
    }

    /** Whether a caller may learn by the filter which values a row has: REST refuses a filter on a column without SELECT. */
    boolean mayFilter(TableAccess access) {
        return access.selectable().containsAll(filter.columns());
    }

    /** Whether a row passes the filter, as far as the caller may see. */
    Decision decide(SharedRow row, TableAccess access) {
        boolean known = mayFilter(access)
                // No policy judges a row that is gone: its key alone is shown, and so it alone is filtered.
                && (row.row().type() != ChangedRow.Type.DELETE
                        || !access.rowSecurity()
                        || row.row().table().primaryKey().containsAll(filter.columns()));
        return known ? filter.decide(row) : Decision.NO;
    }

    /** The first column that a filter or a selection names and the table has not. */
    Optional<String> unknownColumn(Table table) {
        return filter.conditions().stream()
                .map(Condition::column)
                .filter(name -> table.column(name).isEmpty())
                .findFirst()
                .map(name -> "invalid column for filter " + name)
                .or(() -> numbered.binding().select().stream()
                        .flatMap(List::stream)
                        .filter(name -> table.column(name).isEmpty())
                        .findFirst()
                        .map(name -> "invalid column for select " + name));
    }

    /** Supabase's message for a binding of a table that is not published. */
    String notPublished() {
        return described(numbered.binding(), filter.conditions());
    }

    /** Supabase's message for a binding that the database does not accept. */
    String exception(String message) {
        return "Unable to subscribe to changes with given parameters. An exception happened so please check your connect"
                + " parameters: " + parameters(numbered.binding(), filter.conditions()) + ". Exception: " + message;
    }

    private static String described(ChangeBinding binding, List<Condition> conditions) {
        return "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given"
                + " connect parameters: " + parameters(binding, conditions);
    }

    private static String parameters(ChangeBinding binding, List<Condition> conditions) {
        String filters = conditions.stream()
                .map(condition -> "{\"" + condition.column() + "\", \""
                        + condition.operator().name().toLowerCase(Locale.ROOT) + "\", \""
                        + String.join(",", condition.values()) + "\"}")
                .collect(Collectors.joining(", ", "[", "]"));
        String event = EVENTS.contains(binding.event()) ? "" : "event: " + shortened(binding.event()) + ", ";
        return "[" + event + "schema: " + shortened(binding.schema()) + ", table: "
                + shortened(binding.table().orElse(ALL)) + ", filters: " + shortened(filters) + "]";
    }
}
