package svc.management.types;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import svc.catalog.ViewRule;
import svc.catalog.ViewRule.Origin;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Constraint;
import svc.management.introspection.ProjectFacts.Relation;

/**
 * The relationships of tables and views by foreign keys. A view has and is the target of its tables' keys when it shows all
 * columns of the key, through any number of views. Pure.
 */
final class KeyLineage {
    private final ProjectFacts facts;
    private final Map<Long, Map<Integer, Origin>> direct = new HashMap<>();

    /** By table: the views that show any of its columns. */
    private final Map<Long, Set<Long>> viewsOf = new HashMap<>();

    /** By view: the first of its columns that shows each column of a table. */
    private final Map<Long, Map<Origin, String>> shown = new HashMap<>();

    private final Map<Long, List<Constraint>> keysOf = new HashMap<>();

    KeyLineage(ProjectFacts facts) {
        this.facts = facts;
        facts.views().forEach((oid, view) -> direct.put(oid, ViewRule.origins(view.rule())));
        facts.views().keySet().forEach(this::index);
        facts.constraints().stream()
                .filter(key -> key.kind().equals("f") && key.parent() == 0)
                .forEach(key -> sides(key.relation(), key.columns())
                        .forEach(side -> keysOf.computeIfAbsent(side.relation(), unused -> new ArrayList<>())
                                .add(key)));
    }

    /**
     * A relationship in the shape of Supabase's types.
     *
     * @param oneToOne whether the columns are unique in their table
     */
    record TypedRelationship(
            String key, List<String> columns, boolean oneToOne, String target, List<String> targetColumns) {}

    /** A relation that has the columns of a key, with their names in it. */
    private record Side(long relation, List<String> columns) {}

    private void index(long view) {
        Map<Origin, String> columns = new HashMap<>();
        for (Column column : facts.columnsOf(view)) {
            base(new Origin(view, column.number())).ifPresent(base -> {
                columns.putIfAbsent(base, column.name());
                viewsOf.computeIfAbsent(base.relation(), unused -> new TreeSet<>())
                        .add(view);
            });
        }
        shown.put(view, columns);
    }

    /** The column of a table; empty if a view on the way computes it. */
    private Optional<Origin> base(Origin origin) {
        Origin at = origin;
        Set<Origin> seen = new HashSet<>();
        while (direct.containsKey(at.relation())) {
            Origin under = direct.get(at.relation()).get(at.column());
            // A view replaced by one over itself: PostgreSQL accepts it and fails when it is read.
            if (under == null || !seen.add(at)) {
                return Optional.empty();
            }
            at = under;
        }
        return Optional.of(at);
    }

    /** The table first, then the views that show all the columns. */
    private List<Side> sides(long table, List<Integer> columns) {
        List<Side> sides = new ArrayList<>();
        sides.add(new Side(table, facts.columnNames(table, columns)));
        for (long view : viewsOf.getOrDefault(table, Set.of())) {
            List<String> names = columns.stream()
                    .map(column -> shown.get(view).getOrDefault(new Origin(table, column), ""))
                    .toList();
            if (!names.contains("")) {
                sides.add(new Side(view, names));
            }
        }
        return sides;
    }

    /** The relationships to relations of the same schema, by key and target. */
    List<TypedRelationship> of(Relation relation) {
        List<TypedRelationship> found = new ArrayList<>();
        for (Constraint key : keysOf.getOrDefault(relation.oid(), List.of())) {
            boolean unique = isUnique(key);
            sides(key.relation(), key.columns()).stream()
                    .filter(side -> side.relation() == relation.oid())
                    .forEach(side -> sides(key.target(), key.targetColumns()).stream()
                            .filter(target -> inSchemaOf(relation, target))
                            .forEach(target -> found.add(new TypedRelationship(
                                    key.name(),
                                    side.columns(),
                                    unique,
                                    facts.relations().get(target.relation()).name(),
                                    target.columns()))));
        }
        found.sort(Comparator.comparing(TypedRelationship::key).thenComparing(TypedRelationship::target));
        return found;
    }

    private boolean inSchemaOf(Relation relation, Side target) {
        return Optional.ofNullable(facts.relations().get(target.relation()))
                .filter(found -> found.namespace() == relation.namespace() && !found.partition())
                .isPresent();
    }

    private boolean isUnique(Constraint key) {
        Set<Integer> columns = Set.copyOf(key.columns());
        return facts.constraints().stream()
                .anyMatch(other -> other.relation() == key.relation()
                        && !other.kind().equals("f")
                        && columns.equals(Set.copyOf(other.columns())));
    }
}
