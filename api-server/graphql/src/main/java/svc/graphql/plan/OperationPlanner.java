package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.catalog.QualifiedIdentifier;
import svc.crds.project.service.GraphqlSpec;
import svc.graphql.document.FieldCollector;
import svc.graphql.document.Operation;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.error.RequestError;
import svc.graphql.plan.Planning.Position;
import svc.graphql.request.GraphqlLimits;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.FilterOperator;
import svc.graphql.schema.FunctionField;
import svc.graphql.schema.FunctionField.Parameter;
import svc.graphql.schema.FunctionField.Result;
import svc.graphql.schema.GraphqlSchema;
import svc.graphql.schema.RootField;

/** Plans an operation: checks every field and argument against the schema of the role. */
public final class OperationPlanner {
    private static final Set<String> INTROSPECTION = Set.of("__schema", "__type");

    private final GraphqlSchema schema;
    private final Operation operation;
    private final GraphqlSpec settings;
    private final GraphqlLimits limits;
    private final FieldCollector fields;
    private final Planning planning;
    private final List<String> errors = new ArrayList<>();

    private OperationPlanner(GraphqlSchema schema, Operation operation, GraphqlSpec settings, GraphqlLimits limits) {
        this.schema = schema;
        this.operation = operation;
        this.settings = settings;
        this.limits = limits;
        this.fields = operation.collector();
        this.planning = new Planning(schema, fields, limits, settings.maxRows());
    }

    /** @throws GraphqlError for what the schema does not have, and for more than the limits allow */
    public static OperationPlan plan(
            GraphqlSchema schema, Operation operation, GraphqlSpec settings, GraphqlLimits limits) {
        return new OperationPlanner(schema, operation, settings, limits).plan();
    }

    private OperationPlan plan() {
        boolean query = operation.kind() == Operation.Kind.QUERY;
        String type = query ? "Query" : "Mutation";
        List<SelectedField> selected = roots(type);
        if (selected.size() > limits.rootFields()) {
            throw new GraphqlError("The operation has more than " + limits.rootFields() + " root fields");
        }
        List<RootPlan> roots = new ArrayList<>();
        for (SelectedField field : selected) {
            if (field.name().equals(Planning.TYPENAME)) {
                Planning.leaf(field);
                roots.add(new RootPlan.Typename(field.key(), type));
            } else if (query && INTROSPECTION.contains(field.name())) {
                introspection(field, roots);
            } else {
                roots.add(query ? query(field) : mutation(field));
            }
        }
        return new OperationPlan(operation.kind(), roots, errors);
    }

    /** What is wrong with the selection of root fields is wrong with the request. */
    private List<SelectedField> roots(String type) {
        try {
            return fields.collect(List.of(operation.root()), Set.of(type));
        } catch (GraphqlError e) {
            throw new RequestError(e.getMessage());
        }
    }

    /** Without introspection its fields are unknown, and the others are answered all the same. */
    private void introspection(SelectedField field, List<RootPlan> roots) {
        if (settings.introspection() && !schema.introspected().isEmpty()) {
            roots.add(new RootPlan.Introspection(field.key(), field));
        } else {
            errors.add(unknown(field, "Query").getMessage());
        }
    }

    private static GraphqlError unknown(SelectedField field, String type) {
        return new GraphqlError("Unknown field \"" + field.name() + "\" on type " + type);
    }

    private RootPlan query(SelectedField field) {
        RootField known = schema.query().get(field.name());
        return switch (known) {
            case RootField.Collection collection ->
                new RootPlan.Collection(
                        field.key(),
                        new ConnectionPlanner(planning)
                                .plan(
                                        field,
                                        new RowSource.Relation(collection.entity()),
                                        List.of(),
                                        Optional.empty(),
                                        Position.ROOT));
            case RootField.ByKey byKey -> byKey(field, byKey.entity());
            case RootField.Node unused -> node(field);
            case RootField.Call call -> call(field, call.function());
            case null, default -> throw unknown(field, "Query");
        };
    }

    private RootPlan mutation(SelectedField field) {
        RootField known = schema.mutation().get(field.name());
        var writes = new WritePlanner(planning);
        return switch (known) {
            case RootField.Insert insert -> new InsertPlanner(planning).insert(field, insert.entity());
            case RootField.Update update -> writes.update(field, update.entity());
            case RootField.Delete delete -> writes.delete(field, delete.entity());
            case RootField.Call call -> call(field, call.function());
            case null, default -> throw unknown(field, "Mutation");
        };
    }

    private RootPlan byKey(SelectedField field, Entity entity) {
        Set<String> names = new HashSet<>();
        List<Condition> parts = new ArrayList<>();
        for (EntityColumn column : entity.key()) {
            names.add(column.name());
            JsonNode value = field.argument(column.name())
                    .orElseThrow(() -> new GraphqlError("Missing required argument \"" + column.name() + "\""));
            parts.add(new Condition.Compare(column, FilterOperator.EQ, InputText.of(column.type(), value)));
        }
        Planning.arguments(field, names);
        return single(field, new RowSource.Relation(entity), new Condition.All(parts));
    }

    private RootPlan node(SelectedField field) {
        Planning.arguments(field, Set.of("nodeId"));
        NodeIds id = NodeIds.read(
                field.argument("nodeId").orElseThrow(() -> new GraphqlError("Missing required argument \"nodeId\"")));
        Entity entity = id.entity(schema);
        return single(field, new RowSource.Relation(entity), id.condition(entity));
    }

    private RootPlan single(SelectedField field, RowSource source, Condition condition) {
        planning.rows(1);
        return new RootPlan.Single(
                field.key(), source, condition, new RowPlanner(planning).plan(field, source.entity(), Position.ROOT));
    }

    private RootPlan call(SelectedField field, FunctionField function) {
        Set<String> names = new HashSet<>(function.parameters().keySet());
        boolean rows = function.result() instanceof Result.Rows;
        if (rows) {
            names.addAll(ConnectionPlanner.ARGUMENTS);
        }
        Planning.arguments(field, names);
        var call = new RowSource.Call(function.function(), arguments(field, function));
        return switch (function.result()) {
            case Result.Value value -> {
                if (!field.selections().isEmpty()) {
                    throw new GraphqlError("Field '" + field.name() + "' must not have a selection of subfields");
                }
                yield new RootPlan.Value(field.key(), call, value.type(), value.sqlType());
            }
            case Result.Row row -> single(field, new RowSource.Called(entity(row.entity()), call), Condition.NONE);
            case Result.Rows many ->
                new RootPlan.Collection(
                        field.key(),
                        new ConnectionPlanner(planning)
                                .called(field, new RowSource.Called(entity(many.entity()), call)));
        };
    }

    private Entity entity(QualifiedIdentifier relation) {
        return schema.entity(relation).orElseThrow();
    }

    /** Those that are given: the others have defaults. */
    private static List<RowSource.Argument> arguments(SelectedField field, FunctionField function) {
        List<RowSource.Argument> arguments = new ArrayList<>();
        for (Map.Entry<String, Parameter> one : function.parameters().entrySet()) {
            JsonNode value = field.arguments().get(one.getKey());
            if (value == null && one.getValue().required()) {
                throw new GraphqlError("Missing required argument \"" + one.getKey() + "\"");
            }
            if (value != null) {
                String text =
                        value.isNull() ? null : InputText.of(one.getValue().type(), value);
                arguments.add(new RowSource.Argument(one.getValue(), text));
            }
        }
        return arguments;
    }
}
