package svc.graphql.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Table;
import svc.graphql.schema.Entity.Features;
import svc.graphql.schema.Entity.Rights;
import svc.graphql.schema.Privileges.Right;

/**
 * Builds the schema of a role by pg_graphql's rules. Pure. Of two types or root fields with one name, the first in order is
 * kept; of two columns, the last; a column gives way to a key's field, and that to a function of the row.
 */
public final class GraphqlSchemaBuilder {
    /** The types of keys that pg_graphql looks rows up by. */
    private static final Set<String> KEY_TYPES =
            Set.of("int2", "int4", "int8", "text", "varchar", "bpchar", "char", "citext", "uuid");

    private final ProjectSchema project;
    private final Privileges privileges;
    private final SchemaNames names;
    private final ValueTypes types;
    private final Map<QualifiedIdentifier, Entity> entities = new LinkedHashMap<>();
    private final SchemaExtensions extensions;
    private final TypeNames typeNames;

    private GraphqlSchemaBuilder(ProjectSchema project, Privileges privileges, SchemaNames names, boolean extended) {
        this.extensions = new SchemaExtensions(extended, entities);
        this.typeNames = new TypeNames(extended);
        this.project = project;
        this.privileges = privileges;
        this.names = names;
        this.types = new ValueTypes(names::naming, typeNames);
    }

    /**
     * Builds the schema.
     *
     * @param shown the name of a schema as applications say it
     * @param inflected a schema whose names are inflected unless its comment decides; empty for none
     * @param extended whether it has what pg_graphql's has not
     */
    public static GraphqlSchema build(
            ProjectSchema project,
            Privileges privileges,
            UnaryOperator<String> shown,
            Optional<String> inflected,
            boolean extended) {
        return new GraphqlSchemaBuilder(project, privileges, SchemaNames.of(project, shown, inflected), extended)
                .build();
    }

    private GraphqlSchema build() {
        List<Table> tables = project.tables().stream()
                .sorted(Comparator.comparingInt((Table table) ->
                                project.exposed().indexOf(table.id().schema()))
                        .thenComparing(Table::id))
                .toList();
        // Before the first enum takes a name.
        tables.stream().filter(this::takeNames).toList().forEach(this::addEntity);
        var relations = new RelationFields(project, privileges, names, types, entities);
        entities.values().forEach(relations::add);
        return new GraphqlSchema(
                project,
                Collections.unmodifiableMap(entities),
                Collections.unmodifiableMap(queryFields()),
                Collections.unmodifiableMap(mutationFields()),
                names.introspected(),
                extensions);
    }

    private boolean takeNames(Table table) {
        CommentDirective directive = CommentDirective.of(table.description());
        return !keyNames(table, directive).isEmpty() && typeNames.takeForEntity(typeName(table, directive));
    }

    private String typeName(Table table, CommentDirective directive) {
        return directive
                .text("name")
                .orElseGet(() -> names.naming(table.id().schema()).type(table.name()));
    }

    private void addEntity(Table table) {
        CommentDirective directive = CommentDirective.of(table.description());
        Naming naming = names.naming(table.id().schema());
        List<EntityColumn> usable = columns(table, naming);
        List<EntityColumn> key = key(table, directive, usable);
        if (key.isEmpty()) {
            return;
        }
        Map<String, EntityColumn> columns = named(usable);
        Map<String, EntityField> fields = new LinkedHashMap<>();
        fields.put("nodeId", new EntityField.NodeId("nodeId"));
        columns.values().stream()
                .filter(EntityColumn::selectable)
                .forEach(column -> fields.putIfAbsent(column.name(), new EntityField.OfColumn(column)));
        OptionalInt maxRows = directive.maxRows();
        entities.put(
                table.id(),
                new Entity(
                        table,
                        names.shown(table.id().schema()),
                        typeName(table, directive),
                        Collections.unmodifiableMap(columns),
                        fields,
                        key,
                        new Features(
                                directive.enabled("totalCount"),
                                directive.enabled("aggregate"),
                                maxRows.isPresent()
                                        ? maxRows
                                        : names.maxRows(table.id().schema())),
                        rights(table, columns),
                        directive.text("description")));
    }

    /** The columns that the role may use in any way and that have a GraphQL type, whatever their names. */
    private List<EntityColumn> columns(Table table, Naming naming) {
        List<EntityColumn> columns = new ArrayList<>();
        for (Table.Column column : table.columns()) {
            CommentDirective directive = CommentDirective.of(column.description());
            String name = directive.text("name").orElseGet(() -> naming.column(column.name()));
            Optional<ValueType> type = types.of(column.dataType());
            boolean settable = isSettable(column);
            boolean select = privileges.may(Right.SELECT, table, column.name());
            boolean insert = settable && privileges.may(Right.INSERT, table, column.name());
            boolean update = settable && privileges.may(Right.UPDATE, table, column.name());
            if (type.isPresent() && (select || insert || update)) {
                columns.add(new EntityColumn(
                        name, column, type.get(), select, insert, update, directive.text("description")));
            }
        }
        return columns;
    }

    /** Those that a document can name. Of {@code _id} and {@code id}, which are one name with inflection, the last. */
    private static Map<String, EntityColumn> named(List<EntityColumn> usable) {
        Map<String, EntityColumn> columns = new LinkedHashMap<>();
        usable.stream()
                .filter(column -> Naming.isValid(column.name()))
                .forEach(column -> columns.put(column.name(), column));
        return columns;
    }

    /**
     * Whether an input may have the column. As in pg_graphql those of a sequence, serial or identity, have no input; with
     * extensions they do, so that rows can be copied with their keys.
     */
    private boolean isSettable(Table.Column column) {
        return switch (column.generation()) {
            case STORED, IDENTITY_ALWAYS -> false;
            case IDENTITY_BY_DEFAULT -> extensions.enabled();
            case NONE ->
                extensions.enabled()
                        || column.defaultValue()
                                .filter(expression -> expression.startsWith("nextval("))
                                .isEmpty();
        };
    }

    /**
     * The primary key of a table, or the one that the comment declares; that alone for a view. Empty without a key and when
     * the role may not select it: nothing then identifies a row. A column of it may have no name in documents.
     */
    private static List<EntityColumn> key(Table table, CommentDirective directive, List<EntityColumn> usable) {
        Map<String, EntityColumn> bySqlName = new HashMap<>();
        usable.stream()
                .filter(EntityColumn::selectable)
                .forEach(column -> bySqlName.put(column.column().name(), column));
        List<EntityColumn> key = new ArrayList<>();
        for (String name : keyNames(table, directive)) {
            EntityColumn column = bySqlName.get(name);
            if (column == null || key.contains(column)) {
                return List.of();
            }
            key.add(column);
        }
        return key;
    }

    private static List<String> keyNames(Table table, CommentDirective directive) {
        boolean declared = table.kind().isView() || table.primaryKey().isEmpty();
        return declared ? directive.texts("primary_key_columns") : table.primaryKey();
    }

    private Rights rights(Table table, Map<String, EntityColumn> columns) {
        Table.Mutability mutability = table.mutability();
        return new Rights(
                mutability.insertable() && columns.values().stream().anyMatch(EntityColumn::insertable),
                mutability.updatable() && columns.values().stream().anyMatch(EntityColumn::updatable),
                mutability.deletable() && privileges.mayDelete(table));
    }

    private Map<String, RootField> queryFields() {
        Map<String, RootField> fields = new LinkedHashMap<>();
        fields.put("node", new RootField.Node());
        for (Entity entity : entities.values()) {
            fields.putIfAbsent(entity.fieldBase() + "Collection", new RootField.Collection(entity));
            if (entity.key().stream().allMatch(column -> isLookedUp(column) && entity.names(column))) {
                fields.putIfAbsent(entity.fieldBase() + "ByPk", new RootField.ByKey(entity));
            }
        }
        functions(true).forEach(function -> fields.putIfAbsent(function.name(), new RootField.Call(function)));
        return fields;
    }

    /** Whether a key with the column has a field of its own; with extensions all have. */
    private boolean isLookedUp(EntityColumn column) {
        return extensions.enabled()
                || KEY_TYPES.contains(column.column().dataType().underlying().name());
    }

    private Map<String, RootField> mutationFields() {
        Map<String, RootField> fields = new LinkedHashMap<>();
        for (Entity entity : entities.values()) {
            String collection = entity.typeName() + "Collection";
            if (entity.rights().insert()) {
                fields.putIfAbsent("insertInto" + collection, new RootField.Insert(entity));
            }
            if (entity.rights().update()) {
                fields.putIfAbsent("update" + collection, new RootField.Update(entity));
            }
            if (entity.rights().delete()) {
                fields.putIfAbsent("deleteFrom" + collection, new RootField.Delete(entity));
            }
        }
        functions(false).forEach(function -> fields.putIfAbsent(function.name(), new RootField.Call(function)));
        return fields;
    }

    private List<FunctionField> functions(boolean reading) {
        return new RootFunctions(project, privileges, names, types, entities).fields(reading);
    }
}
