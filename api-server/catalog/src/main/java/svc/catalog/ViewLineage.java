package svc.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import svc.catalog.CatalogSnapshot.ColumnRow;
import svc.catalog.CatalogSnapshot.RelationRow;
import svc.catalog.ViewRule.Origin;

/**
 * Traces the columns of views to the columns of tables, through any number of views. A view inherits a key of a table when
 * it shows all the key's columns.
 */
final class ViewLineage {
    /**
     * A view may show a column several times, and a key of several columns then has the product of their counts as forms: a
     * tenant could create millions.
     */
    private static final int MAX_FORMS = 64;

    private final Map<Long, RelationRow> relations;
    private final Map<Long, Map<Integer, Origin>> direct = new HashMap<>();
    private final Map<Long, Map<Origin, List<String>>> shown = new HashMap<>();
    private final Map<Long, List<RelationRow>> viewsOf = new HashMap<>();

    ViewLineage(Map<Long, RelationRow> relations) {
        this.relations = relations;
        relations.forEach((oid, row) -> row.rule().ifPresent(rule -> direct.put(oid, rule.origins())));
        relations.values().stream()
                .filter(row -> row.exposed() && row.rule().isPresent())
                .sorted(Comparator.comparing(RelationRow::id))
                .forEach(this::index);
    }

    private void index(RelationRow view) {
        Map<Origin, List<String>> columns = new LinkedHashMap<>();
        Set<Long> tables = new HashSet<>();
        Map<Integer, String> names =
                view.columns().stream().collect(Collectors.toMap(ColumnRow::number, ColumnRow::name));
        new TreeMap<>(direct.get(view.oid()))
                .forEach((number, origin) -> base(origin)
                        .filter(unused -> names.containsKey(number))
                        .ifPresent(base -> {
                            columns.computeIfAbsent(base, unused -> new ArrayList<>())
                                    .add(names.get(number));
                            tables.add(base.relation());
                        }));
        shown.put(view.oid(), columns);
        tables.forEach(table ->
                viewsOf.computeIfAbsent(table, unused -> new ArrayList<>()).add(view));
    }

    /** Follows a column down to a table; empty if a view on the way computes it. */
    private Optional<Origin> base(Origin origin) {
        Origin at = origin;
        Set<Origin> seen = new HashSet<>();
        while (direct.containsKey(at.relation())) {
            // A view replaced by one over itself: PostgreSQL accepts it and fails when it is read.
            Origin under = direct.get(at.relation()).get(at.column());
            if (under == null || !seen.add(at)) {
                return Optional.empty();
            }
            at = under;
        }
        return relations.containsKey(at.relation()) ? Optional.of(at) : Optional.empty();
    }

    /** The exposed views that show a column of a table. */
    List<RelationRow> viewsOf(long table) {
        return viewsOf.getOrDefault(table, List.of());
    }

    /**
     * The column lists under which a view shows a whole key, in the key's order; empty if it does not show all columns.
     */
    List<List<String>> forms(RelationRow view, long table, List<Integer> key) {
        List<List<String>> forms = List.of(List.of());
        for (int column : key) {
            List<String> names =
                    shown.getOrDefault(view.oid(), Map.of()).getOrDefault(new Origin(table, column), List.of());
            forms = forms.stream()
                    .flatMap(begun -> names.stream().map(name -> {
                        List<String> longer = new ArrayList<>(begun);
                        longer.add(name);
                        return List.copyOf(longer);
                    }))
                    .limit(MAX_FORMS)
                    .toList();
        }
        return forms;
    }

    /** The columns of a view that show the primary keys of its tables, each in its first form. */
    List<String> primaryKey(RelationRow view) {
        return shown.getOrDefault(view.oid(), Map.of()).keySet().stream()
                .map(Origin::relation)
                .distinct()
                .flatMap(table -> relations.get(table).keys().stream()
                        .filter(key -> key.kind().equals("p"))
                        .flatMap(key ->
                                forms(view, table, key.columns()).stream().limit(1)))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }
}
