package svc.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The callable functions and the computed columns of a schema. */
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

    /** All overloads of a name; empty if it is unknown. */
    public List<Routine> named(QualifiedIdentifier name) {
        return byName.getOrDefault(name, List.of());
    }

    /** The names of all functions, unordered. */
    public Set<QualifiedIdentifier> names() {
        return byName.keySet();
    }

    /** All functions by name, unordered. */
    public Collection<List<Routine>> all() {
        return byName.values();
    }

    Stream<ComputedColumn> computed() {
        return computed.values().stream().flatMap(List::stream);
    }

    /** The computed column of that name. */
    public Optional<ComputedColumn> computedColumn(QualifiedIdentifier table, String column) {
        return computedColumns(table).stream()
                .filter(one -> one.function().name().equals(column))
                .findFirst();
    }

    /** All computed columns of a relation. */
    public List<ComputedColumn> computedColumns(QualifiedIdentifier table) {
        return computed.getOrDefault(table, List.of());
    }
}
