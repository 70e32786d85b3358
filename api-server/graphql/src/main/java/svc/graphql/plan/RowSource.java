package svc.graphql.plan;

import java.util.List;
import svc.catalog.QualifiedIdentifier;
import svc.graphql.schema.Entity;
import svc.graphql.schema.FunctionField.Parameter;

/** Where rows of an entity come from. */
public sealed interface RowSource {
    Entity entity();

    record Relation(Entity entity) implements RowSource {}

    /** A function of the row that the field stands in. */
    record OfRow(Entity entity, QualifiedIdentifier function) implements RowSource {}

    record Called(Entity entity, Call call) implements RowSource {}

    /** A call with arguments by name. */
    record Call(QualifiedIdentifier function, List<Argument> arguments) {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** @param text the value in PostgreSQL's form; null for null */
    record Argument(Parameter parameter, String text) {}
}
