package svc.rest.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.catalog.ProjectSchema;
import svc.catalog.Relationship;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.platform.tenancy.RestSettings;
import svc.rest.error.EmbeddingErrors;
import svc.rest.error.RestError;
import svc.rest.plan.Embedding.Shape;
import svc.rest.plan.ReadPlan.Selected;
import svc.rest.request.Condition;
import svc.rest.request.Field;
import svc.rest.request.OrderTerm;
import svc.rest.request.ReadRequest;
import svc.rest.request.RowSelection;
import svc.rest.request.SelectItem;
import svc.rest.resolution.RelationshipResolution;
import svc.rest.resolution.RelationshipResolver;

/**
 * Plans a {@link ReadRequest}: resolves the relationship of each embedded resource, assigns its parameters and validates
 * them. Pure; each statement needs its own planner, which numbers the aliases.
 */
public final class ReadPlanner {
    private final ProjectSchema known;
    private final RestSettings settings;
    private final Set<Identifier> aliases = new HashSet<>();
    private int embeddings;

    public ReadPlanner(ProjectSchema known, RestSettings settings) {
        this.known = known;
        this.settings = settings;
    }

    /**
     * Plans a read of {@code root}. The project's max-rows limits the ranges of to-many resources; the caller limits the
     * root's.
     *
     * @throws RestError PGRST200 or 201 for an unknown or ambiguous relationship; PGRST108, 118, 120 for an invalid
     *     parameter of a resource; PGRST123 for disabled aggregates
     */
    public ReadPlan plan(Target root, ReadRequest request) {
        aliases.add(root.alias());
        return node(root, request.select(), request.rows(), request.embedded(), 0);
    }

    private ReadPlan node(
            Target target,
            List<SelectItem> items,
            RowSelection rows,
            Map<List<String>, RowSelection> parameters,
            int depth) {
        List<Selected> select = new ArrayList<>(own(items));
        List<Embedding> children = new ArrayList<>();
        Map<String, Map<List<String>, RowSelection>> byChild = byHead(parameters);
        Map<SelectItem, Map<List<String>, RowSelection>> assigned = assign(items, byChild);
        for (SelectItem item : items) {
            if (item instanceof SelectItem.Embed || item instanceof SelectItem.Spread) {
                Embedding child = embedding(target, item, assigned.getOrDefault(item, Map.of()), depth + 1);
                Embedding unaggregated = SpreadColumns.withoutAggregates(child);
                children.add(unaggregated);
                select.addAll(selected(child, unaggregated));
            }
        }
        var plan = new ReadPlan(target, SpreadColumns.named(target, select, rows, children), rows, children);
        checkConditions(plan, rows.where());
        rows.order().forEach(term -> checkOrder(plan, term));
        checkHaving(plan, rows.having());
        return plan;
    }

    private List<Selected> own(List<SelectItem> items) {
        List<Selected> own = new ArrayList<>();
        for (SelectItem item : items) {
            if (item instanceof SelectItem.One one) {
                if (one.aggregate().isPresent() && !settings.aggregates()) {
                    throw RestError.aggregatesDisabled();
                }
                own.add(new Selected.Own(one));
            } else if (item instanceof SelectItem.All) {
                own.add(new Selected.All());
            }
        }
        return own;
    }

    private static List<Selected> selected(Embedding child, Embedding unaggregated) {
        return switch (child.shape()) {
            case OBJECT, ARRAY -> List.of(new Selected.Nested(unaggregated));
            case SPREAD_OBJECT, SPREAD_ARRAY -> SpreadColumns.hoisted(child, unaggregated);
            case HIDDEN -> List.of();
        };
    }

    private Embedding embedding(Target parent, SelectItem item, Map<List<String>, RowSelection> parameters, int depth) {
        boolean spread = item instanceof SelectItem.Spread;
        SelectItem.Embed embed = item instanceof SelectItem.Spread spreadItem
                ? new SelectItem.Embed(
                        spreadItem.target(),
                        Optional.empty(),
                        spreadItem.hint(),
                        spreadItem.join(),
                        spreadItem.select())
                : (SelectItem.Embed) item;
        Relationship relationship = relationship(parent, embed);
        Target target = target(relationship, depth);
        Shape shape = shape(relationship, embed, spread);
        Map<List<String>, RowSelection> nested = new LinkedHashMap<>(parameters);
        RowSelection own = Optional.ofNullable(nested.remove(List.<String>of())).orElse(RowSelection.ALL);
        RowSelection rows = shape == Shape.ARRAY || shape == Shape.SPREAD_ARRAY
                ? own.withRange(own.range().atMost(settings.maxRows()))
                : own;
        int number = embeddings++;
        return new Embedding(
                embed.target(),
                embed.name(),
                Identifier.of("pgrst_e" + number),
                Identifier.of("pgrst_j" + number),
                relationship,
                node(target, embed.select(), rows, nested, depth),
                embed.join(),
                shape);
    }

    private static Shape shape(Relationship relationship, SelectItem.Embed embed, boolean spread) {
        if (isEmpty(embed.select())) {
            return Shape.HIDDEN;
        }
        if (spread) {
            return relationship.toOne() ? Shape.SPREAD_OBJECT : Shape.SPREAD_ARRAY;
        }
        return relationship.toOne() ? Shape.OBJECT : Shape.ARRAY;
    }

    /** Whether nothing is selected at any depth: {@code ()} and {@code (tasks())}. */
    private static boolean isEmpty(List<SelectItem> select) {
        return select.stream().allMatch(item -> switch (item) {
            case SelectItem.Embed embed -> isEmpty(embed.select());
            case SelectItem.Spread spread -> isEmpty(spread.select());
            case SelectItem.All unused -> false;
            case SelectItem.One unused -> false;
        });
    }

    private Relationship relationship(Target parent, SelectItem.Embed embed) {
        Table origin = parent.table();
        return switch (new RelationshipResolver(known.relationships())
                .resolve(origin.id(), embed.target(), embed.hint())) {
            case RelationshipResolution.Found found -> found.relationship();
            case RelationshipResolution.None none ->
                throw EmbeddingErrors.unrelated(
                        origin.name(), embed.target(), embed.hint(), origin.id().schema(), none.hint());
            case RelationshipResolution.Ambiguous ambiguous ->
                throw EmbeddingErrors.ambiguousRelation(
                        origin.name(), embed.target(), ambiguous.candidates(), ambiguous.hint());
        };
    }

    /** The relation under a unique alias: a relation may be embedded in itself, at any depth. */
    private Target target(Relationship relationship, int depth) {
        Table table = known.table(relationship.foreignTable())
                .orElseThrow(() -> new IllegalStateException(
                        "relationship to an unknown relation " + relationship.foreignTable()));
        Target.Source source = switch (relationship) {
            case Relationship.Detected unused -> new Target.Source.Relation(table.id());
            case Relationship.Computed computed -> new Target.Source.Related(computed.function(), computed.table());
        };
        return new Target(source, table, known.routines().computedColumns(table.id()), alias(table.name(), depth));
    }

    /** PostgREST's alias, which appears in PostgreSQL's messages, unless it is too long or taken. */
    private Identifier alias(String table, int depth) {
        String wanted = table + "_" + depth;
        Identifier alias = Identifier.fits(wanted) ? Identifier.of(wanted) : Identifier.of("pgrst_t" + aliases.size());
        for (int i = 0; !aliases.add(alias); i++) {
            alias = Identifier.of("pgrst_t" + (aliases.size() + i));
        }
        return alias;
    }

    private static Map<String, Map<List<String>, RowSelection>> byHead(Map<List<String>, RowSelection> parameters) {
        Map<String, Map<List<String>, RowSelection>> byHead = new LinkedHashMap<>();
        parameters.forEach((path, rows) -> byHead.computeIfAbsent(path.getFirst(), unused -> new LinkedHashMap<>())
                .put(path.subList(1, path.size()), rows));
        return byHead;
    }

    /**
     * Parameters address an embedded resource by its name in the answer. One with an alias may also be addressed by its target,
     * unless another resource has that name.
     */
    private static Map<SelectItem, Map<List<String>, RowSelection>> assign(
            List<SelectItem> items, Map<String, Map<List<String>, RowSelection>> byHead) {
        Map<SelectItem, Map<List<String>, RowSelection>> assigned = new LinkedHashMap<>();
        byHead.forEach((name, parameters) -> {
            SelectItem item = items.stream()
                    .filter(one -> nameOf(one).equals(Optional.of(name)))
                    .findFirst()
                    .or(() -> items.stream()
                            .filter(one -> targetOf(one).equals(Optional.of(name)))
                            .findFirst())
                    .orElseThrow(() -> EmbeddingErrors.notEmbedded(name));
            Map<List<String>, RowSelection> merged = assigned.computeIfAbsent(item, unused -> new LinkedHashMap<>());
            parameters.forEach((path, rows) -> merged.merge(path, rows, RowSelection::and));
        });
        return assigned;
    }

    private static Optional<String> nameOf(SelectItem item) {
        return item instanceof SelectItem.Embed embed ? Optional.of(embed.name()) : targetOf(item);
    }

    private static Optional<String> targetOf(SelectItem item) {
        return switch (item) {
            case SelectItem.Embed embed -> Optional.of(embed.target());
            case SelectItem.Spread spread -> Optional.of(spread.target());
            case SelectItem.All unused -> Optional.empty();
            case SelectItem.One unused -> Optional.empty();
        };
    }

    /** A filter on an embedded resource can only test its presence; a column of the same name takes precedence. */
    private static void checkConditions(ReadPlan plan, Condition condition) {
        switch (condition) {
            case Condition.And all -> all.parts().forEach(part -> checkConditions(plan, part));
            case Condition.Or any -> any.parts().forEach(part -> checkConditions(plan, part));
            case Condition.Not not -> checkConditions(plan, not.part());
            case Condition.Is is -> {
                if (plan.nullTested(is).isEmpty()) {
                    checkField(plan, is.field());
                }
            }
            case Condition.Compare compare -> checkField(plan, compare.field());
            case Condition.In in -> checkField(plan, in.field());
            case Condition.FullText search -> checkField(plan, search.field());
        }
    }

    private static void checkField(ReadPlan plan, Field field) {
        if (plan.embeddings().isEmpty()) {
            return;
        }
        boolean column = plan.target().type(field.column()).isPresent();
        boolean resource = field.path().isEmpty()
                && plan.embeddings().stream().anyMatch(one -> one.name().equals(field.column()));
        if (resource && !column) {
            throw EmbeddingErrors.embeddedFilter(field.column());
        }
    }

    private static void checkOrder(ReadPlan plan, OrderTerm term) {
        term.relation().ifPresent(name -> {
            Embedding related = plan.embedding(name).orElseThrow(() -> EmbeddingErrors.notEmbedded(name));
            if (!related.relationship().toOne()) {
                throw EmbeddingErrors.relatedOrder(plan.target().table().name(), name);
            }
        });
    }

    private static void checkHaving(ReadPlan plan, Condition condition) {
        switch (condition) {
            case Condition.And all -> all.parts().forEach(part -> checkHaving(plan, part));
            case Condition.Or any -> any.parts().forEach(part -> checkHaving(plan, part));
            case Condition.Not not -> checkHaving(plan, not.part());
            case Condition.Is is -> checkAggregate(plan, is.field());
            case Condition.Compare compare -> checkAggregate(plan, compare.field());
            case Condition.In in -> checkAggregate(plan, in.field());
            case Condition.FullText search -> checkAggregate(plan, search.field());
        }
    }

    private static void checkAggregate(ReadPlan plan, Field field) {
        if (plan.aggregate(field.column()).isEmpty()) {
            throw RestError.notAnAggregate(field.column());
        }
    }
}
