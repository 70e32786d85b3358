package svc.realtime.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import svc.catalog.DataType;
import svc.catalog.Table;
import svc.realtime.change.ChangeBinding;
import svc.realtime.change.NumberedBinding;
import svc.realtime.filter.Comparison;
import svc.realtime.filter.Condition;
import svc.realtime.filter.FilterParser;
import svc.realtime.filter.Verdict;
import svc.realtime.row.ChangedRow;

/** A binding, parsed. */
final class ParsedBinding {
    private static final Set<String> EVENTS = Set.of("*", "INSERT", "UPDATE", "DELETE");
    private static final String ALL = "*";

    private final NumberedBinding numbered;
    private final List<Condition> conditions;

    /** Conditions on the columns of the table as it is now; for a binding of every table there are none. */
    private final Map<String, Compiled> compiled = new ConcurrentHashMap<>(2);

    private record Compiled(Table table, Optional<List<Comparison>> comparisons) {}

    /** @param undecided conditions that PostgreSQL must decide, when the verdict is open */
    record Decision(Verdict verdict, List<Comparison> undecided) {}

    private static final Decision YES = new Decision(Verdict.TRUE, List.of());
    private static final Decision NO = new Decision(Verdict.FALSE, List.of());

    private ParsedBinding(NumberedBinding numbered, List<Condition> conditions) {
        this.numbered = numbered;
        this.conditions = conditions;
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
        var parsed = new ParsedBinding(numbered, conditions.get());
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

    /** Whether a row passes the filter. */
    Decision decide(ChangedRow row) {
        if (conditions.isEmpty()) {
            return YES;
        }
        Optional<List<Comparison>> comparisons = comparisons(row.table());
        if (comparisons.isEmpty()) {
            return NO;
        }
        List<Comparison> undecided = new ArrayList<>(0);
        for (Comparison comparison : comparisons.get()) {
            switch (comparison.decide(row.value(comparison.condition().column()))) {
                case FALSE -> {
                    return NO;
                }
                case UNDECIDED -> undecided.add(comparison);
                case TRUE -> {}
            }
        }
        return undecided.isEmpty() ? YES : new Decision(Verdict.UNDECIDED, undecided);
    }

    /** Empty when the table has no such column any more. */
    @SuppressWarnings("ReferenceEquality") // One version of the schema has one object for a table.
    Optional<List<Comparison>> comparisons(Table table) {
        Compiled known = compiled.get(table.name());
        if (known == null || known.table() != table) {
            known = new Compiled(table, compile(table));
            compiled.put(table.name(), known);
        }
        return known.comparisons();
    }

    private Optional<List<Comparison>> compile(Table table) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Condition condition : conditions) {
            Optional<DataType> type = table.column(condition.column()).map(Table.Column::dataType);
            if (type.isEmpty()) {
                return Optional.empty();
            }
            comparisons.add(Comparison.of(condition, type.get()));
        }
        return Optional.of(comparisons);
    }

    /** The first column that a filter or a selection names and the table has not. */
    Optional<String> unknownColumn(Table table) {
        return conditions.stream()
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
        return described(numbered.binding(), conditions);
    }

    /** Supabase's message for a binding that the database does not accept. */
    String exception(String message) {
        return "Unable to subscribe to changes with given parameters. An exception happened so please check your connect"
                + " parameters: " + parameters(numbered.binding(), conditions) + ". Exception: " + message;
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
