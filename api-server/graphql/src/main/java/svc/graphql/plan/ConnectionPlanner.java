package svc.graphql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.catalog.Relationship.ColumnPair;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.ConnectionPlan.AggregateOutput;
import svc.graphql.plan.ConnectionPlan.AggregateValue;
import svc.graphql.plan.ConnectionPlan.EdgeOutput;
import svc.graphql.plan.ConnectionPlan.Function;
import svc.graphql.plan.ConnectionPlan.Output;
import svc.graphql.plan.ConnectionPlan.PageInfoOutput;
import svc.graphql.plan.Planning.Position;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.ScalarType;
import svc.graphql.schema.ValueType;

/** Plans collections. */
public final class ConnectionPlanner {
    /** The arguments of every collection. */
    static final Set<String> ARGUMENTS = Set.of("first", "last", "before", "after", "offset", "filter", "orderBy");

    private static final Set<String> EXTENDED_ARGUMENTS =
            Set.of("first", "last", "before", "after", "offset", "filter", "orderBy", "distinctOn");

    private final Planning planning;

    ConnectionPlanner(Planning planning) {
        this.planning = planning;
    }

    /**
     * Of a relation or of a function of the row, which have no arguments of their own.
     *
     * @param parent the entity of the surrounding row; empty for a root field
     */
    ConnectionPlan plan(
            SelectedField field, RowSource source, List<ColumnPair> columns, Optional<Entity> parent, Position at) {
        boolean extended = planning.schema().extensions().enabled();
        Planning.arguments(field, extended ? EXTENDED_ARGUMENTS : ARGUMENTS);
        return planned(field, source, columns, parent, at, extended);
    }

    /** Of a function that is a root field: it may have parameters, and the caller has checked the names of the arguments. */
    ConnectionPlan called(SelectedField field, RowSource.Called source) {
        return planned(field, source, List.of(), Optional.empty(), Position.ROOT, false);
    }

    private ConnectionPlan planned(
            SelectedField field,
            RowSource source,
            List<ColumnPair> columns,
            Optional<Entity> parent,
            Position at,
            boolean extended) {
        Entity entity = source.entity();
        var pages = new PageReader(planning, entity, field);
        List<EntityColumn> distinct = extended ? pages.distinct() : List.of();
        List<OrderTerm> order = pages.order(distinct);
        Page page = pages.page(order, planning.maxRows(entity));
        Condition filter = field.argument("filter")
                .map(value -> new FilterReader(planning, entity).read(value))
                .orElse(Condition.NONE);
        Position rows = at.rows(page.limit());
        planning.rows(rows.times());
        List<Output> outputs = new ArrayList<>();
        for (SelectedField one : planning.subfields(field, at, entity.connectionType())) {
            outputs.add(output(one, entity, rows.inner()));
        }
        outputs.stream()
                .filter(one -> one instanceof Output.TotalCount || one instanceof Output.Aggregate)
                .forEach(unused -> planning.reads(entity, parent, at.times()));
        if (!distinct.isEmpty() || order.stream().anyMatch(term -> !term.path().isEmpty())) {
            planning.reads(entity, parent, at.times());
        }
        return new ConnectionPlan(source, columns, filter, distinct, order, page, outputs);
    }

    private Output output(SelectedField field, Entity entity, Position at) {
        String key = field.key();
        return switch (field.name()) {
            case Planning.TYPENAME -> {
                Planning.leaf(field);
                yield new Output.Typename(key, entity.connectionType());
            }
            case "edges" -> {
                Planning.arguments(field, Set.of());
                List<EdgeOutput> outputs = new ArrayList<>();
                planning.subfields(field, at, entity.edgeType())
                        .forEach(one -> outputs.add(edge(one, entity, at.inner())));
                yield new Output.Edges(key, outputs);
            }
            case "pageInfo" -> {
                Planning.arguments(field, Set.of());
                yield new Output.PageInfo(
                        key,
                        planning.subfields(field, at, "PageInfo").stream()
                                .map(ConnectionPlanner::pageInfo)
                                .toList());
            }
            case "totalCount" -> {
                if (!entity.features().totalCount()) {
                    throw unknown();
                }
                Planning.leaf(field);
                yield new Output.TotalCount(key);
            }
            case "aggregate" -> {
                if (!entity.features().aggregate()) {
                    throw new GraphqlError("enable the aggregate directive to use aggregates");
                }
                Planning.arguments(field, Set.of());
                List<AggregateOutput> outputs = new ArrayList<>();
                planning.subfields(field, at, entity.typeName() + "Aggregate")
                        .forEach(one -> outputs.add(aggregate(one, entity, at.inner())));
                yield new Output.Aggregate(key, outputs);
            }
            default -> throw unknown();
        };
    }

    private static GraphqlError unknown() {
        return new GraphqlError("unknown field in connection");
    }

    private EdgeOutput edge(SelectedField field, Entity entity, Position at) {
        return switch (field.name()) {
            case Planning.TYPENAME -> {
                Planning.leaf(field);
                yield new EdgeOutput.Typename(field.key(), entity.edgeType());
            }
            case "cursor" -> {
                Planning.leaf(field);
                yield new EdgeOutput.Cursor(field.key());
            }
            case "node" -> {
                Planning.arguments(field, Set.of());
                yield new EdgeOutput.Node(field.key(), new RowPlanner(planning).plan(field, entity, at));
            }
            default -> throw new GraphqlError("unknown field in edge");
        };
    }

    private static PageInfoOutput pageInfo(SelectedField field) {
        Planning.leaf(field);
        return new PageInfoOutput(
                field.key(),
                switch (field.name()) {
                    case "hasNextPage" -> PageInfoOutput.Kind.HAS_NEXT_PAGE;
                    case "hasPreviousPage" -> PageInfoOutput.Kind.HAS_PREVIOUS_PAGE;
                    case "startCursor" -> PageInfoOutput.Kind.START_CURSOR;
                    case "endCursor" -> PageInfoOutput.Kind.END_CURSOR;
                    case Planning.TYPENAME -> PageInfoOutput.Kind.TYPENAME;
                    default -> throw new GraphqlError("unknown field in pageInfo");
                });
    }

    private AggregateOutput aggregate(SelectedField field, Entity entity, Position at) {
        return switch (field.name()) {
            case Planning.TYPENAME -> {
                Planning.leaf(field);
                yield new AggregateOutput.Typename(field.key(), entity.typeName() + "Aggregate");
            }
            case "count" -> {
                Planning.leaf(field);
                yield new AggregateOutput.Count(field.key());
            }
            case "sum" -> values(field, entity, Function.SUM, at);
            case "avg" -> values(field, entity, Function.AVG, at);
            case "min" -> values(field, entity, Function.MIN, at);
            case "max" -> values(field, entity, Function.MAX, at);
            default -> throw invalid(field.name(), entity.typeName() + "Aggregate");
        };
    }

    private AggregateOutput values(SelectedField field, Entity entity, Function function, Position at) {
        Planning.arguments(field, Set.of());
        String type = function.typeName(entity.typeName());
        List<AggregateValue> values = new ArrayList<>();
        for (SelectedField one : planning.subfields(field, at, type)) {
            Planning.leaf(one);
            if (one.name().equals(Planning.TYPENAME)) {
                values.add(new AggregateValue.Typename(one.key()));
                continue;
            }
            values.add(new AggregateValue.OfColumn(
                    one.key(),
                    entity.column(one.name())
                            .filter(column -> applies(function, column))
                            .orElseThrow(() -> invalid(one.name(), type))));
        }
        return new AggregateOutput.Values(field.key(), function, type, values);
    }

    /** Whether an aggregate function exists for a column. */
    public static boolean applies(Function function, EntityColumn column) {
        return column.selectable()
                && column.type() instanceof ValueType.Scalar(ScalarType scalar)
                && (function == Function.SUM || function == Function.AVG ? scalar.isNumeric() : scalar.hasExtremes());
    }

    private static GraphqlError invalid(String field, String type) {
        return new GraphqlError("Unknown or invalid field \"" + field + "\" selected on type \"" + type + "\"");
    }
}
