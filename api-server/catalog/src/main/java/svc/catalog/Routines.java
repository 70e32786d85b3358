package svc.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The functions that can be called, and those that read like columns. */
public final class Routines {
    private final Map<QualifiedIdentifier, List<Routine>> byName;
    private final Map<QualifiedIdentifier, List<ComputedColumn>> computed;

    private Routines(
            Map<QualifiedIdentifier, List<Routine>> byName, Map<QualifiedIdentifier, List<ComputedColumn>> computed) {
        this.byName = byName;
        this.computed = computed;
    }

    public static Routines of(Collection<Routine> routines, Collection<ComputedColumn> computed) {
        Map<QualifiedIdentifier, List<Routine>> byName = new HashMap<>();
        routines.forEach(routine -> byName.computeIfAbsent(routine.id(), unused -> new ArrayList<>())
                .add(routine));
        Map<QualifiedIdentifier, List<ComputedColumn>> byTable = new HashMap<>();
        computed.forEach(column -> byTable.computeIfAbsent(column.table(), unused -> new ArrayList<>())
                .add(column));
        byName.replaceAll((name, list) -> List.copyOf(list));
        byTable.replaceAll((name, list) -> List.copyOf(list));
        return new Routines(Map.copyOf(byName), Map.copyOf(byTable));
    }

    /** All of a name, which may differ in their parameters; empty when there is none. */
    public List<Routine> named(QualifiedIdentifier name) {
        return byName.getOrDefault(name, List.of());
    }

    /** All functions, in no order. */
    public Collection<List<Routine>> all() {
        return byName.values();
    }

    Stream<ComputedColumn> computed() {
        return computed.values().stream().flatMap(List::stream);
    }

    /** The function that reads like a column of that name. */
    public Optional<ComputedColumn> computedColumn(QualifiedIdentifier table, String column) {
        return computedColumns(table).stream()
                .filter(one -> one.function().name().equals(column))
                .findFirst();
    }

    /** All functions that read like columns of a relation. */
    public List<ComputedColumn> computedColumns(QualifiedIdentifier table) {
        return computed.getOrDefault(table, List.of());
    }

    /**
     * PGRST202's hint: of a name that is not known, one that is alike; of one that is, the parameters that are most alike.
     *
     * @param arguments names that the caller gave
     */
    public Optional<String> hint(QualifiedIdentifier name, Collection<String> arguments) {
        List<Routine> overloads = named(name);
        String meant = "Perhaps you meant to call the function " + name.schema() + ".";
        if (overloads.isEmpty()) {
            return FuzzySet.of(byName.keySet().stream()
                            .filter(known -> known.schema().equals(name.schema()))
                            .map(QualifiedIdentifier::name)
                            .toList())
                    .closest(name.name(), FuzzySet.NAMES)
                    .map(known -> meant + known);
        }
        List<String> signatures = overloads.stream()
                .map(routine -> signature(routine.parameters().stream()
                        .map(Routine.Parameter::name)
                        .toList()))
                .toList();
        return FuzzySet.of(signatures)
                .closest(signature(arguments), FuzzySet.RELATED)
                .map(known -> meant + name.name() + known);
    }

    private static String signature(Collection<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", ", "(", ")"));
    }
}
