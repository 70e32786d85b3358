package svc.graphql.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import svc.catalog.ComputedColumn;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;
import svc.catalog.Relationship.Detected;
import svc.catalog.Table;
import svc.graphql.schema.CommentDirective.DeclaredKey;

/** Adds the fields that lead from an entity to other rows, and its computed fields. */
final class RelationFields {
    private final ProjectSchema project;
    private final Privileges privileges;
    private final SchemaNames names;
    private final ValueTypes types;
    private final Map<QualifiedIdentifier, Entity> entities;
    private final Map<QualifiedIdentifier, List<EntityField>> declared = new HashMap<>();

    RelationFields(
            ProjectSchema project,
            Privileges privileges,
            SchemaNames names,
            ValueTypes types,
            Map<QualifiedIdentifier, Entity> entities) {
        this.project = project;
        this.privileges = privileges;
        this.names = names;
        this.types = types;
        this.entities = entities;
        entities.values().forEach(this::declare);
    }

    void add(Entity entity) {
        QualifiedIdentifier table = entity.table().id();
        if (!entity.table().kind().isView()) {
            keys(entity);
        }
        declared.getOrDefault(table, List.of()).forEach(field -> add(entity, field));
        if (privileges.maySelectAll(entity.table())) {
            functions(entity);
        }
    }

    /** A function of the row gets all columns. */
    private void functions(Entity entity) {
        QualifiedIdentifier table = entity.table().id();
        project.routines().computedColumns(table).stream()
                .sorted(Comparator.comparing(ComputedColumn::function))
                .filter(column -> privileges.mayExecute(column.function(), column.oid()))
                .flatMap(column -> computed(column).stream())
                .forEach(field -> add(entity, field));
        project.relationships().computed(table).stream()
                .filter(one ->
                        entities.containsKey(one.foreignTable()) && privileges.mayExecute(one.function(), one.oid()))
                .sorted(Comparator.comparing(Relationship.Computed::function))
                .map(this::computedRows)
                .forEach(field -> add(entity, field));
    }

    /** Of foreign keys between tables; those that views inherit are REST's, not pg_graphql's. */
    private void keys(Entity entity) {
        project.relationships()
                .direct(entity.table().id())
                .filter(one -> !one.tableIsView() && !one.foreignTableIsView())
                .filter(one -> entities.containsKey(one.foreignTable()))
                .sorted(Comparator.comparing(RelationFields::isReverse)
                        .thenComparing(Detected::foreignTable)
                        .thenComparing(RelationFields::constraint))
                .map(one -> related(entity, one))
                .filter(field -> mayJoin(entity, field))
                .forEach(field -> add(entity, field));
    }

    /** Of two fields of one rank, the first is kept. */
    private static void add(Entity entity, EntityField field) {
        if (Naming.isValid(field.name())) {
            entity.fields().merge(field.name(), field, (kept, other) -> rank(other) > rank(kept) ? other : kept);
        }
    }

    /** Which of the fields of one name is answered, as in pg_graphql; a type without {@code nodeId} would be no Node. */
    private static int rank(EntityField field) {
        return switch (field) {
            case EntityField.OfColumn unused -> 0;
            case EntityField.ToOne unused -> 1;
            case EntityField.ToMany unused -> 1;
            case EntityField.Computed unused -> 2;
            case EntityField.ComputedRows unused -> 2;
            case EntityField.NodeId unused -> 3;
        };
    }

    /** A leading underscore of the function's name is left out, as in pg_graphql. */
    private Optional<EntityField> computed(ComputedColumn column) {
        return types.of(column.type())
                .map(type -> new EntityField.Computed(
                        functionName(column.function(), column.description()),
                        column.function(),
                        type,
                        column.type(),
                        CommentDirective.of(column.description()).text("description")));
    }

    private EntityField computedRows(Relationship.Computed one) {
        return new EntityField.ComputedRows(
                functionName(one.function(), one.description()),
                one.function(),
                one.foreignTable(),
                one.toOne(),
                CommentDirective.of(one.description()).text("description"));
    }

    private String functionName(QualifiedIdentifier function, Optional<String> comment) {
        return CommentDirective.of(comment)
                .text("name")
                .orElseGet(() -> names.naming(function.schema()).function(function.name()));
    }

    private boolean mayJoin(Entity entity, EntityField field) {
        return switch (field) {
            case EntityField.ToOne one -> mayJoin(entity, one.target(), one.columns());
            case EntityField.ToMany many -> mayJoin(entity, many.target(), many.columns());
            default -> true;
        };
    }

    private boolean mayJoin(Entity entity, QualifiedIdentifier target, List<ColumnPair> pairs) {
        return mayJoin(entity, columns(pairs))
                && mayJoin(
                        entities.get(target),
                        pairs.stream().map(ColumnPair::foreignColumn).toList());
    }

    private EntityField related(Entity entity, Detected one) {
        CommentDirective directive = CommentDirective.of(one.description());
        Entity target = entities.get(one.foreignTable());
        return switch (one.cardinality()) {
            case Cardinality.ManyToOne key -> toOne(entity, target, key.columns(), directive.text("foreign_name"));
            case Cardinality.OneToOne key
            when !key.parent() -> toOne(entity, target, key.columns(), directive.text("foreign_name"));
            case Cardinality.OneToOne key ->
                new EntityField.ToOne(
                        directive
                                .text("local_name")
                                .orElseGet(() -> naming(target).single(columns(key.columns()), target.typeName())),
                        target.table().id(),
                        key.columns(),
                        true,
                        false);
            case Cardinality.OneToMany key -> toMany(target, key.columns(), directive.text("local_name"));
            case Cardinality.ManyToMany unused ->
                throw new IllegalArgumentException("direct relationships have no junction");
        };
    }

    private EntityField.ToOne toOne(Entity from, Entity target, List<ColumnPair> pairs, Optional<String> name) {
        boolean nullable = target.table().rowSecurity()
                || pairs.stream()
                        .anyMatch(pair -> from.table()
                                .column(pair.column())
                                .map(Table.Column::nullable)
                                .orElse(true));
        return new EntityField.ToOne(
                name.orElseGet(() -> naming(target).single(columns(pairs), target.typeName())),
                target.table().id(),
                pairs,
                nullable,
                true);
    }

    private static EntityField toMany(Entity target, List<ColumnPair> pairs, Optional<String> name) {
        return new EntityField.ToMany(
                name.orElseGet(() -> target.fieldBase() + "Collection"),
                target.table().id(),
                pairs);
    }

    /** The relationships of the comment's {@code foreign_keys}, in both directions. */
    private void declare(Entity entity) {
        for (DeclaredKey key : CommentDirective.of(entity.table().description()).foreignKeys()) {
            String named = key.foreignSchema().isEmpty() ? entity.schemaName() : key.foreignSchema();
            Entity target = names.exposed(named)
                    .map(schema -> entities.get(new QualifiedIdentifier(schema, key.foreignTable())))
                    .orElse(null);
            if (target == null || !mayJoin(entity, key.localColumns()) || !mayJoin(target, key.foreignColumns())) {
                continue;
            }
            List<ColumnPair> there = pairs(key.localColumns(), key.foreignColumns());
            List<ColumnPair> back = pairs(key.foreignColumns(), key.localColumns());
            boolean unique = new HashSet<>(sqlNames(entity.key())).equals(new HashSet<>(key.localColumns()));
            declared.computeIfAbsent(entity.table().id(), unused -> new ArrayList<>())
                    .add(declared(toOne(entity, target, there, key.foreignName()), true));
            declared.computeIfAbsent(target.table().id(), unused -> new ArrayList<>())
                    .add(
                            unique
                                    ? declared(toOne(target, entity, back, key.localName()), false)
                                    : toMany(entity, back, key.localName()));
        }
    }

    /** No constraint says that the row exists. */
    private static EntityField declared(EntityField.ToOne one, boolean holdsKey) {
        return new EntityField.ToOne(one.name(), one.target(), one.columns(), true, holdsKey);
    }

    /** Whether the columns exist and the role may compare them. */
    private boolean mayJoin(Entity entity, List<String> columns) {
        return columns.stream()
                .allMatch(column -> entity.table().column(column).isPresent()
                        && privileges.may(Privileges.Right.SELECT, entity.table(), column));
    }

    private static List<ColumnPair> pairs(List<String> own, List<String> foreign) {
        return IntStream.range(0, own.size())
                .mapToObj(i -> new ColumnPair(own.get(i), foreign.get(i)))
                .toList();
    }

    private static List<String> sqlNames(List<EntityColumn> columns) {
        return columns.stream().map(column -> column.column().name()).toList();
    }

    private Naming naming(Entity entity) {
        return names.naming(entity.table().id().schema());
    }

    private static List<String> columns(List<ColumnPair> pairs) {
        return pairs.stream().map(ColumnPair::column).toList();
    }

    private static boolean isReverse(Detected one) {
        return one.cardinality() instanceof Cardinality.OneToMany
                || one.cardinality() instanceof Cardinality.OneToOne key && key.parent();
    }

    private static String constraint(Detected one) {
        return switch (one.cardinality()) {
            case Cardinality.ManyToOne key -> key.constraint();
            case Cardinality.OneToOne key -> key.constraint();
            case Cardinality.OneToMany key -> key.constraint();
            case Cardinality.ManyToMany through -> through.junction().constraint();
        };
    }
}
