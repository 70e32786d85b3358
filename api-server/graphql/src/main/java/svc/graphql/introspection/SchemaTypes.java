package svc.graphql.introspection;

import static svc.graphql.introspection.TypeRef.named;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import svc.graphql.introspection.TypeDef.EnumDef;
import svc.graphql.introspection.TypeDef.FieldDef;
import svc.graphql.introspection.TypeDef.InputDef;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.EntityField;
import svc.graphql.schema.FilterOperator;
import svc.graphql.schema.FunctionField;
import svc.graphql.schema.GraphqlSchema;
import svc.graphql.schema.RootField;
import svc.graphql.schema.ScalarType;
import svc.graphql.schema.ValueType;

/** All types of a schema by name: those of its entities, its root types, and those that every schema has. */
final class SchemaTypes {
    private static final TypeRef BOOLEAN = named("Boolean");
    private static final TypeRef STRING = named("String");

    private final GraphqlSchema schema;
    private final Map<String, TypeDef> types = new TreeMap<>();

    private SchemaTypes(GraphqlSchema schema) {
        this.schema = schema;
    }

    static Map<String, TypeDef> of(GraphqlSchema schema) {
        var all = new SchemaTypes(schema);
        all.addAll();
        return all.types;
    }

    private void add(TypeDef type) {
        types.putIfAbsent(type.name(), type);
    }

    private void addAll() {
        add(TypeDef.object("Query", Optional.of("The root type for querying data"), fields(schema.query())));
        List<FieldDef> mutations = fields(schema.mutation());
        if (!mutations.isEmpty()) {
            add(TypeDef.object("Mutation", Optional.of("The root type for creating and mutating data"), mutations));
        }
        node();
        common();
        var entities = new EntityTypes(schema, this::add);
        shown().forEach(entities::add);
        shown().flatMap(entity -> entity.columns().values().stream())
                .map(EntityColumn::type)
                .forEach(this::values);
        Stream.concat(schema.query().values().stream(), schema.mutation().values().stream())
                .forEach(field -> {
                    if (isShown(field) && field instanceof RootField.Call(FunctionField function)) {
                        function.parameters().values().forEach(parameter -> values(parameter.type()));
                        if (function.result() instanceof FunctionField.Result.Value value) {
                            values(value.type());
                        }
                    }
                });
        shown().forEach(entity -> entity.fields().values().forEach(field -> {
            if (field instanceof EntityField.Computed computed) {
                values(computed.type());
            }
        }));
        if (schema.extensions().enabled()) {
            ExtensionTypes.common().forEach(this::add);
        }
        MetaTypes.all().forEach(this::add);
    }

    /** The entities of the schemas that introspection shows. */
    private Stream<Entity> shown() {
        return schema.entities().values().stream()
                .filter(entity -> schema.introspects(entity.table().id()));
    }

    private boolean isShown(RootField root) {
        return switch (root) {
            case RootField.Node unused -> true;
            case RootField.Collection(Entity entity) ->
                schema.introspects(entity.table().id());
            case RootField.ByKey(Entity entity) ->
                schema.introspects(entity.table().id());
            case RootField.Insert(Entity entity) ->
                schema.introspects(entity.table().id());
            case RootField.Update(Entity entity) ->
                schema.introspects(entity.table().id());
            case RootField.Delete(Entity entity) ->
                schema.introspects(entity.table().id());
            case RootField.Call(FunctionField function) ->
                schema.introspects(function.function())
                        && switch (function.result()) {
                            case FunctionField.Result.Value unused -> true;
                            case FunctionField.Result.Row row -> schema.introspects(row.entity());
                            case FunctionField.Result.Rows rows -> schema.introspects(rows.entity());
                        };
        };
    }

    private void node() {
        List<String> entities = shown().map(Entity::typeName).sorted().toList();
        add(new TypeDef(
                TypeDef.Kind.INTERFACE,
                "Node",
                Optional.empty(),
                List.of(FieldDef.of(
                        "nodeId", "Retrieves a record by `ID`", named("ID").nonNull())),
                List.of(),
                List.of(),
                List.of(),
                entities));
    }

    private void common() {
        for (ScalarType scalar : ScalarType.values()) {
            add(TypeDef.scalar(scalar.typeName(), scalar.description()));
            values(new ValueType.Scalar(scalar));
            if (!scalar.operators().isEmpty() && scalar != ScalarType.ID) {
                values(new ValueType.ListOf(new ValueType.Scalar(scalar)));
            }
        }
        add(TypeDef.object(
                "PageInfo",
                Optional.empty(),
                List.of(
                        FieldDef.of("endCursor", STRING),
                        FieldDef.of("hasNextPage", BOOLEAN.nonNull()),
                        FieldDef.of("hasPreviousPage", BOOLEAN.nonNull()),
                        FieldDef.of("startCursor", STRING))));
        add(TypeDef.enumeration(
                "FilterIs",
                Optional.empty(),
                Stream.of("NULL", "NOT_NULL")
                        .map(name -> new EnumDef(name, Optional.empty()))
                        .toList()));
        add(TypeDef.enumeration(
                "OrderByDirection",
                Optional.of("Defines a per-field sorting order"),
                List.of(
                        new EnumDef("AscNullsFirst", Optional.of("Ascending order, nulls first")),
                        new EnumDef("AscNullsLast", Optional.of("Ascending order, nulls last")),
                        new EnumDef("DescNullsFirst", Optional.of("Descending order, nulls first")),
                        new EnumDef("DescNullsLast", Optional.of("Descending order, nulls last")))));
    }

    /** The type of values and the type of its filter. */
    private void values(ValueType type) {
        if (type instanceof ValueType.Enumeration labels) {
            add(TypeDef.enumeration(
                    labels.typeName(),
                    labels.description(),
                    labels.labels().stream()
                            .map(label -> new EnumDef(label.name(), Optional.empty()))
                            .toList()));
        }
        if (type instanceof ValueType.ListOf(ValueType element)) {
            values(element);
        }
        Set<FilterOperator> operators = schema.extensions().operators(type);
        if (!operators.isEmpty() && !types.containsKey(type.filterName())) {
            add(TypeDef.input(
                    type.filterName(),
                    Optional.of("Boolean expression comparing fields on type \"" + base(type) + "\""),
                    operators.stream()
                            .map(operator -> InputDef.of(operator.field(), operand(type, operator)))
                            .sorted(Comparator.comparing(InputDef::name))
                            .toList()));
        }
    }

    private static String base(ValueType type) {
        return type.filterName().substring(0, type.filterName().length() - "Filter".length());
    }

    private static TypeRef operand(ValueType type, FilterOperator operator) {
        return switch (operator) {
            case IS -> named("FilterIs");
            case IN -> named(type.typeName()).nonNull().list();
            case HAS_KEY -> STRING;
            case PATH_EXISTS, PATH_MATCHES -> named("JSONPath");
            default ->
                type instanceof ValueType.ListOf
                        ? named(type.typeName()).nonNull().list()
                        : named(type.typeName());
        };
    }

    private List<FieldDef> fields(Map<String, RootField> roots) {
        List<FieldDef> fields = new ArrayList<>();
        new TreeMap<>(roots).forEach((name, root) -> {
            if (isShown(root)) {
                fields.add(field(name, root));
            }
        });
        return fields;
    }

    private FieldDef field(String name, RootField root) {
        return switch (root) {
            case RootField.Node unused ->
                new FieldDef(
                        name,
                        Optional.of("Retrieve a record by its `ID`"),
                        List.of(InputDef.of(
                                "nodeId", "The record's `ID`", named("ID").nonNull())),
                        named("Node"));
            case RootField.Collection(Entity entity) ->
                new FieldDef(
                        name,
                        Optional.of("A pagable collection of type `" + entity.typeName() + "`"),
                        new EntityTypes(schema, this::add).arguments(entity),
                        named(entity.connectionType()).nonNull());
            case RootField.ByKey(Entity entity) ->
                new FieldDef(
                        name,
                        Optional.of("Retrieve a record of type `" + entity.typeName() + "` by its primary key"),
                        entity.key().stream()
                                .map(column -> InputDef.of(
                                        column.name(),
                                        "The record's `" + column.column().name() + "` value",
                                        EntityTypes.ref(column.type()).nonNull()))
                                .toList(),
                        named(entity.typeName()));
            case RootField.Insert(Entity entity) ->
                new FieldDef(
                        name,
                        Optional.of("Adds one or more `" + entity.typeName() + "` records to the collection"),
                        insert(entity),
                        named(entity.typeName() + "InsertResponse"));
            case RootField.Update(Entity entity) ->
                new FieldDef(
                        name,
                        Optional.of("Updates zero or more records in the `" + entity.typeName() + "` collection"),
                        List.of(
                                InputDef.of(
                                        "set",
                                        "Fields that are set will be updated for all records matching the `filter`",
                                        named(entity.typeName() + "UpdateInput").nonNull()),
                                filter(entity),
                                atMost()),
                        named(entity.typeName() + "UpdateResponse").nonNull());
            case RootField.Delete(Entity entity) ->
                new FieldDef(
                        name,
                        Optional.of("Deletes zero or more records from the `" + entity.typeName() + "` collection"),
                        List.of(filter(entity), atMost()),
                        named(entity.typeName() + "DeleteResponse").nonNull());
            case RootField.Call(FunctionField function) -> call(name, function);
        };
    }

    private List<InputDef> insert(Entity entity) {
        List<InputDef> arguments = new ArrayList<>();
        arguments.add(InputDef.of(
                "objects",
                named(entity.typeName() + "InsertInput").nonNull().list().nonNull()));
        if (!schema.extensions().conflictKeys(entity).isEmpty()) {
            arguments.add(InputDef.of(
                    "onConflict", "What to do with records that exist", named(entity.typeName() + "OnConflict")));
        }
        return arguments;
    }

    private static InputDef filter(Entity entity) {
        return InputDef.of(
                "filter",
                "Restricts the mutation's impact to records matching the criteria",
                named(entity.filterType()));
    }

    private static InputDef atMost() {
        return new InputDef(
                "atMost",
                Optional.of("The maximum number of records in the collection permitted to be affected"),
                named("Int").nonNull(),
                Optional.of("1"));
    }

    private FieldDef call(String name, FunctionField function) {
        List<InputDef> arguments = new ArrayList<>();
        function.parameters().values().forEach(parameter -> {
            TypeRef type = EntityTypes.ref(parameter.type());
            arguments.add(new InputDef(
                    parameter.name(),
                    Optional.empty(),
                    parameter.required() ? type.nonNull() : type,
                    parameter.defaultValue()));
        });
        TypeRef type = switch (function.result()) {
            case FunctionField.Result.Value value -> EntityTypes.ref(value.type());
            case FunctionField.Result.Row row ->
                named(schema.entity(row.entity()).orElseThrow().typeName());
            case FunctionField.Result.Rows rows -> {
                Entity entity = schema.entity(rows.entity()).orElseThrow();
                arguments.addAll(EntityTypes.collectionArguments(entity));
                yield named(entity.connectionType());
            }
        };
        return new FieldDef(name, function.description(), arguments, type);
    }
}
