package svc.rest.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.catalog.Relationship;
import svc.rest.error.RestError;
import svc.rest.plan.Embedding.Shape;
import svc.rest.plan.ReadPlan.Selected;
import svc.rest.request.Condition;
import svc.rest.request.Field;
import svc.rest.request.OrderTerm;
import svc.rest.request.RowSelection;
import svc.rest.request.SelectItem;

/**
 * The columns of spread resources. PostgREST hoists an aggregate in a spread to-one resource to the parent's groups: the
 * resource then selects the plain value under a generated name.
 */
final class SpreadColumns {
    private SpreadColumns() {}

    /** The resource without the hoisted aggregates. */
    static Embedding withoutAggregates(Embedding child) {
        boolean spread = child.shape() == Shape.SPREAD_OBJECT || child.shape() == Shape.SPREAD_ARRAY;
        if (!spread || !child.read().aggregated()) {
            return child;
        }
        if (child.shape() == Shape.SPREAD_ARRAY) {
            throw RestError.notImplemented("Aggregates are not implemented for one-to-many or many-to-many spreads.");
        }
        List<Selected> plain = new ArrayList<>();
        List<Selected> items = child.read().select();
        for (int i = 0; i < items.size(); i++) {
            plain.add(plain(items.get(i), name(i)));
        }
        ReadPlan read = child.read();
        return new Embedding(
                child.target(),
                child.name(),
                child.lateral(),
                child.junction(),
                child.relationship(),
                new ReadPlan(read.target(), plain, read.rows(), read.embeddings()),
                child.join(),
                child.shape());
    }

    /** The items that the parent row selects from it. */
    static List<Selected> hoisted(Embedding child, Embedding unaggregated) {
        if (!child.read().aggregated()) {
            return List.of(new Selected.SpreadAll(unaggregated));
        }
        List<Selected> hoisted = new ArrayList<>();
        List<Selected> items = child.read().select();
        for (int i = 0; i < items.size(); i++) {
            hoisted.add(hoisted(unaggregated, items.get(i), name(i)));
        }
        return hoisted;
    }

    /**
     * Expands asterisks where the columns must be named: for GROUP BY, for domain representations, and for rows of a write
     * with an additional internal column.
     */
    static List<Selected> named(Target target, List<Selected> select, RowSelection rows, List<Embedding> embeddings) {
        boolean grouped = select.stream().anyMatch(Selected::aggregated);
        boolean represented = target.table().columns().stream()
                .anyMatch(column -> column.dataType().representations().toJson().isPresent());
        boolean carried = target.source() instanceof Target.Source.Rows
                && !target.table().columns().isEmpty()
                && (embeddings.stream().anyMatch(one -> one.relationship() instanceof Relationship.Computed)
                        || fields(select, rows).anyMatch(field -> !target.hasColumn(field.column())));
        List<Selected> named = new ArrayList<>();
        for (Selected item : select) {
            switch (item) {
                case Selected.All unused when grouped || represented || carried -> named.addAll(columnsOf(target));
                case Selected.SpreadAll all
                when grouped -> names(all.embedding().read()).forEach(name -> named.add(whole(all.embedding(), name)));
                default -> named.add(item);
            }
        }
        return named;
    }

    private static Stream<Field> fields(List<Selected> select, RowSelection rows) {
        Stream<Field> selected = select.stream()
                .filter(Selected.Own.class::isInstance)
                .flatMap(item -> ((Selected.Own) item).item().field().stream());
        Stream<Field> ordered =
                rows.order().stream().filter(term -> term.relation().isEmpty()).map(OrderTerm::field);
        return Stream.of(selected, ordered, Condition.fields(rows.where())).flatMap(fields -> fields);
    }

    /** The names of a resource's columns. */
    static List<String> names(ReadPlan read) {
        List<String> names = new ArrayList<>();
        for (Selected item : read.select()) {
            switch (item) {
                case Selected.All unused -> read.target().table().columns().forEach(column -> names.add(column.name()));
                case Selected.SpreadAll all ->
                    names.addAll(names(all.embedding().read()));
                case Selected.Own own -> names.add(own.item().name());
                case Selected.Nested nested -> names.add(nested.embedding().name());
                case Selected.SpreadOne one -> names.add(one.name());
                case Selected.Presence presence -> names.add(presence.name());
            }
        }
        return names;
    }

    private static List<Selected> columnsOf(Target target) {
        return target.table().columns().stream()
                .<Selected>map(column -> own(Field.of(column.name()), Optional.empty(), column.name()))
                .toList();
    }

    private static Selected plain(Selected item, String name) {
        return switch (item) {
            // count() counts the resource's rows: where a row has none, a plain count(*) would count the row itself.
            case Selected.Own own ->
                own.item()
                        .field()
                        .map(field -> own(field, own.item().cast(), name))
                        .orElseGet(() -> new Selected.Presence(name));
            case Selected.SpreadOne one ->
                new Selected.SpreadOne(one.embedding(), one.column(), Optional.empty(), Optional.empty(), name);
            case Selected.Presence presence -> presence;
            case Selected.Nested nested -> nested;
            // Asterisks of a grouped relation are already expanded; see ReadPlanner.
            case Selected.All all -> all;
            case Selected.SpreadAll all -> all;
        };
    }

    private static Selected hoisted(Embedding unaggregated, Selected item, String name) {
        return switch (item) {
            case Selected.Own own ->
                new Selected.SpreadOne(
                        unaggregated,
                        name,
                        own.item().aggregate(),
                        own.item().aggregateCast(),
                        own.item().name());
            case Selected.SpreadOne one ->
                new Selected.SpreadOne(unaggregated, name, one.aggregate(), one.aggregateCast(), one.name());
            case Selected.Nested nested ->
                whole(unaggregated, nested.embedding().name());
            case Selected.Presence presence -> whole(unaggregated, presence.name());
            case Selected.All unused -> throw new IllegalStateException("unexpanded asterisk in a grouped relation");
            case Selected.SpreadAll unused ->
                throw new IllegalStateException("unexpanded asterisk in a grouped relation");
        };
    }

    private static Selected whole(Embedding unaggregated, String name) {
        return new Selected.SpreadOne(unaggregated, name, Optional.empty(), Optional.empty(), name);
    }

    private static Selected own(Field field, Optional<String> cast, String name) {
        return new Selected.Own(
                new SelectItem.One(Optional.of(field), cast, Optional.empty(), Optional.empty(), Optional.of(name)));
    }

    private static String name(int position) {
        return "pgrst_c" + position;
    }
}
