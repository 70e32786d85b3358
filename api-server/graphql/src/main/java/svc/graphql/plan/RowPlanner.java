package svc.graphql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.catalog.QualifiedIdentifier;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.Planning.Position;
import svc.graphql.plan.RowPlan.Output;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityField;

/** Plans what is selected of a row. */
final class RowPlanner {
    private final Planning planning;

    RowPlanner(Planning planning) {
        this.planning = planning;
    }

    /** @param at the place of the field whose value the row is */
    RowPlan plan(SelectedField field, Entity entity, Position at) {
        List<Output> outputs = new ArrayList<>();
        for (SelectedField one : planning.subfields(field, at, entity.typeName(), "Node")) {
            outputs.add(output(one, entity, at.inner()));
        }
        return new RowPlan(entity, outputs);
    }

    private Output output(SelectedField field, Entity entity, Position at) {
        if (field.name().equals(Planning.TYPENAME)) {
            Planning.leaf(field);
            return new Output.Typename(field.key(), entity.typeName());
        }
        EntityField known = entity.fields().get(field.name());
        return switch (known) {
            case null ->
                throw new GraphqlError("Unknown field '" + field.name() + "' on type '" + entity.typeName() + "'");
            case EntityField.NodeId unused -> {
                Planning.leaf(field);
                yield new Output.NodeId(field.key());
            }
            case EntityField.OfColumn column -> {
                Planning.leaf(field);
                yield new Output.Value(field.key(), column.column());
            }
            case EntityField.Computed computed -> {
                Planning.leaf(field);
                yield new Output.Computed(field.key(), computed.function(), computed.type(), computed.sqlType());
            }
            case EntityField.ToOne one -> {
                Entity target = target(one.target());
                Planning.arguments(field, Set.of());
                planning.rows(at.times());
                yield new Output.One(
                        field.key(), new RowSource.Relation(target), one.columns(), plan(field, target, at));
            }
            case EntityField.ToMany many ->
                new Output.Many(
                        field.key(),
                        new ConnectionPlanner(planning)
                                .plan(
                                        field,
                                        new RowSource.Relation(target(many.target())),
                                        many.columns(),
                                        Optional.of(entity),
                                        at));
            case EntityField.ComputedRows rows -> computed(field, rows, entity, at);
        };
    }

    private Output computed(SelectedField field, EntityField.ComputedRows rows, Entity parent, Position at) {
        Entity target = target(rows.target());
        var source = new RowSource.OfRow(target, rows.function());
        if (rows.toOne()) {
            Planning.arguments(field, Set.of());
            planning.rows(at.times());
            return new Output.One(field.key(), source, List.of(), plan(field, target, at));
        }
        return new Output.Many(
                field.key(), new ConnectionPlanner(planning).plan(field, source, List.of(), Optional.of(parent), at));
    }

    private Entity target(QualifiedIdentifier relation) {
        return planning.schema().entity(relation).orElseThrow();
    }
}
