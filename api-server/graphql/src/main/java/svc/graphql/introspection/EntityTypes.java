package svc.graphql.introspection;

import static svc.graphql.introspection.TypeRef.named;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import svc.catalog.QualifiedIdentifier;
import svc.graphql.introspection.TypeDef.FieldDef;
import svc.graphql.introspection.TypeDef.InputDef;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.EntityField;
import svc.graphql.schema.GraphqlSchema;
import svc.graphql.schema.ValueType;

/** The types that follow from an entity. */
final class EntityTypes {
    private static final TypeRef INT = named("Int");
    private static final TypeRef STRING = named("String");

    private final GraphqlSchema schema;
    private final Consumer<TypeDef> types;

    /** @param types gets each type */
    EntityTypes(GraphqlSchema schema, Consumer<TypeDef> types) {
        this.schema = schema;
        this.types = types;
    }

    static TypeRef ref(ValueType type) {
        return type instanceof ValueType.ListOf(ValueType element)
                ? ref(element).list()
                : named(type.typeName());
    }

    /** The arguments of a collection that is no function's. */
    List<InputDef> arguments(Entity entity) {
        List<InputDef> arguments = new ArrayList<>(collectionArguments(entity));
        if (schema.extensions().enabled()) {
            arguments.add(InputDef.of(
                    "distinctOn",
                    "One record for each combination of the values of these columns, the first in the order",
                    named(entity.columnNameType()).nonNull().list()));
        }
        return arguments;
    }

    /** The arguments of a collection. */
    static List<InputDef> collectionArguments(Entity entity) {
        return List.of(
                InputDef.of("first", "Query the first `n` records in the collection", INT),
                InputDef.of("last", "Query the last `n` records in the collection", INT),
                InputDef.of("before", "Query values in the collection before the provided cursor", named("Cursor")),
                InputDef.of("after", "Query values in the collection after the provided cursor", named("Cursor")),
                InputDef.of(
                        "offset",
                        "Skip n values from the after cursor. Alternative to cursor pagination. Backward pagination not"
                                + " supported.",
                        INT),
                InputDef.of(
                        "filter",
                        "Filters to apply to the results set when querying from the collection",
                        named(entity.filterType())),
                InputDef.of(
                        "orderBy",
                        "Sort order to apply to the collection",
                        named(entity.orderByType()).nonNull().list()));
    }

    void add(Entity entity) {
        types.accept(object(entity));
        types.accept(TypeDef.object(
                entity.edgeType(),
                Optional.empty(),
                List.of(
                        FieldDef.of("cursor", STRING.nonNull()),
                        FieldDef.of("node", named(entity.typeName()).nonNull()))));
        types.accept(TypeDef.object(entity.connectionType(), Optional.empty(), connection(entity)));
        types.accept(TypeDef.input(entity.filterType(), Optional.empty(), filter(entity)));
        types.accept(TypeDef.input(entity.orderByType(), Optional.empty(), order(entity)));
        if (schema.extensions().enabled()) {
            new ExtensionTypes(schema.extensions(), types).add(entity);
        }
        if (entity.features().aggregate()) {
            new AggregateTypes(types).add(entity);
        }
        writes(entity);
    }

    private TypeDef object(Entity entity) {
        List<FieldDef> fields = new ArrayList<>();
        entity.fields().values().stream().filter(this::isShown).forEach(field -> fields.add(field(field)));
        return TypeDef.object(entity.typeName(), entity.description(), fields).implementing("Node");
    }

    /** What leads to a schema whose comment switches introspection off is not shown. */
    private boolean isShown(EntityField field) {
        return switch (field) {
            case EntityField.ToOne one -> schema.introspects(one.target());
            case EntityField.ToMany many -> schema.introspects(many.target());
            case EntityField.ComputedRows rows -> schema.introspects(rows.target());
            case EntityField.NodeId unused -> true;
            case EntityField.OfColumn unused -> true;
            case EntityField.Computed unused -> true;
        };
    }

    private FieldDef field(EntityField field) {
        return switch (field) {
            case EntityField.NodeId id ->
                new FieldDef(id.name(), id.description(), List.of(), named("ID").nonNull());
            case EntityField.OfColumn of -> {
                TypeRef type = ref(of.column().type());
                yield new FieldDef(
                        of.name(),
                        of.description(),
                        List.of(),
                        of.column().column().nullable() ? type : type.nonNull());
            }
            case EntityField.ToOne one -> {
                TypeRef type = named(target(one.target()).typeName());
                yield FieldDef.of(one.name(), one.nullable() ? type : type.nonNull());
            }
            case EntityField.ToMany many -> collection(many.name(), Optional.empty(), target(many.target()));
            case EntityField.Computed computed ->
                new FieldDef(computed.name(), computed.description(), List.of(), ref(computed.type()));
            case EntityField.ComputedRows rows ->
                rows.toOne()
                        ? new FieldDef(
                                rows.name(),
                                rows.description(),
                                List.of(),
                                named(target(rows.target()).typeName()))
                        : collection(rows.name(), rows.description(), target(rows.target()));
        };
    }

    /** Nullable, as in pg_graphql. */
    private FieldDef collection(String name, Optional<String> description, Entity target) {
        return new FieldDef(name, description, arguments(target), named(target.connectionType()));
    }

    private Entity target(QualifiedIdentifier relation) {
        return schema.entity(relation).orElseThrow();
    }

    private static List<FieldDef> connection(Entity entity) {
        List<FieldDef> fields = new ArrayList<>();
        fields.add(
                FieldDef.of("edges", named(entity.edgeType()).nonNull().list().nonNull()));
        fields.add(FieldDef.of("pageInfo", named("PageInfo").nonNull()));
        if (entity.features().totalCount()) {
            fields.add(FieldDef.of(
                    "totalCount", "The total number of records matching the `filter` criteria", INT.nonNull()));
        }
        if (entity.features().aggregate()) {
            fields.add(FieldDef.of(
                    "aggregate",
                    "Aggregate functions calculated on the collection of `" + entity.typeName() + "`",
                    named(entity.typeName() + "Aggregate")));
        }
        return fields;
    }

    private List<InputDef> order(Entity entity) {
        List<InputDef> inputs =
                inputs(entity.columns().values(), EntityColumn::isOrderable, column -> named("OrderByDirection"));
        schema.extensions().orders(entity).stream()
                .filter(one -> schema.introspects(one.target().table().id()))
                .forEach(one ->
                        inputs.add(InputDef.of(one.name(), named(one.target().orderByType()))));
        return inputs;
    }

    private List<InputDef> filter(Entity entity) {
        List<InputDef> inputs = inputs(
                entity.columns().values(),
                schema.extensions()::isFilterable,
                column -> named(column.type().filterName()));
        TypeRef own = named(entity.filterType());
        // A column of that name is what the filter compares.
        Stream.of(
                        InputDef.of("nodeId", named("IDFilter")),
                        InputDef.of(
                                "and",
                                "Returns true only if all its inner filters are true, otherwise returns false",
                                own.nonNull().list()),
                        InputDef.of(
                                "or",
                                "Returns true if at least one of its inner filters is true, otherwise returns false",
                                own.nonNull().list()),
                        InputDef.of("not", "Negates a filter", own))
                .filter(one -> entity.column(one.name())
                        .filter(schema.extensions()::isFilterable)
                        .isEmpty())
                .forEach(inputs::add);
        schema.extensions().filters(entity).stream()
                .filter(one -> schema.introspects(one.target().table().id()))
                .forEach(one -> inputs.add(InputDef.of(
                        one.name(), named(one.target().typeName() + (one.many() ? "RelationFilter" : "Filter")))));
        return inputs;
    }

    private static List<InputDef> inputs(
            Collection<EntityColumn> columns,
            Predicate<EntityColumn> included,
            java.util.function.Function<EntityColumn, TypeRef> type) {
        List<InputDef> inputs = new ArrayList<>();
        columns.stream()
                .filter(included)
                .forEach(column -> inputs.add(
                        new InputDef(column.name(), column.description(), type.apply(column), Optional.empty())));
        return inputs;
    }

    private void writes(Entity entity) {
        String type = entity.typeName();
        if (entity.rights().insert()) {
            types.accept(TypeDef.input(type + "InsertInput", Optional.empty(), insert(entity)));
            types.accept(response(type, "InsertResponse"));
        }
        if (entity.rights().update()) {
            types.accept(TypeDef.input(
                    type + "UpdateInput",
                    Optional.empty(),
                    inputs(entity.columns().values(), EntityColumn::updatable, column -> ref(column.type()))));
            types.accept(response(type, "UpdateResponse"));
        }
        if (entity.rights().delete()) {
            types.accept(response(type, "DeleteResponse"));
        }
    }

    private List<InputDef> insert(Entity entity) {
        List<InputDef> inputs =
                inputs(entity.columns().values(), EntityColumn::insertable, column -> ref(column.type()));
        schema.extensions().inserts(entity).stream()
                .filter(one -> schema.introspects(one.target().table().id()))
                .forEach(one -> {
                    TypeRef type = named(one.target().typeName() + "InsertInput");
                    inputs.add(
                            InputDef.of(one.name(), one.many() ? type.nonNull().list() : type));
                });
        return inputs;
    }

    private static TypeDef response(String type, String suffix) {
        return TypeDef.object(
                type + suffix,
                Optional.empty(),
                List.of(
                        FieldDef.of("affectedCount", "Count of the records impacted by the mutation", INT.nonNull()),
                        FieldDef.of(
                                "records",
                                "Array of records impacted by the mutation",
                                named(type).nonNull().list().nonNull())));
    }
}
