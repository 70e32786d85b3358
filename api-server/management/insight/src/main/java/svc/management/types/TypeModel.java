package svc.management.types;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Type;
import svc.management.introspection.ProjectFacts.ViewRow;

/**
 * The rows of schemas for languages with named types: everything in the order of names, so that the same schema gives the
 * same text. Pure.
 */
record TypeModel(List<Schema> schemas) {
    private static final int INSERT = 8;
    private static final int UPDATE = 4;

    /**
     * A schema.
     *
     * @param relations tables, then views
     */
    record Schema(String name, List<Enumeration> enums, List<Rows> relations, List<Rows> composites) {}

    /** An enum with at least one label. */
    record Enumeration(long type, String name, List<String> labels) {}

    /**
     * The rows of a relation, or values of a composite type.
     *
     * @param inserts whether rows can be inserted; {@code updates} likewise
     */
    record Rows(long oid, String name, List<Field> fields, boolean inserts, boolean updates) {
        List<Field> written() {
            return fields.stream().filter(Field::writable).toList();
        }
    }

    /**
     * A column.
     *
     * @param optional whether an insert may leave it out
     * @param writable whether a value can be given
     */
    record Field(String name, WireType type, boolean nullable, boolean optional, boolean writable, boolean identity) {}

    /** @param schemas in any order */
    static TypeModel of(ProjectFacts facts, List<Namespace> schemas) {
        var types = new WireTypes(facts, schemas.stream().map(Namespace::oid).collect(Collectors.toUnmodifiableSet()));
        return new TypeModel(schemas.stream()
                .sorted(Comparator.comparing(Namespace::name))
                .map(schema -> new Schema(
                        schema.name(),
                        SchemaObjects.enums(facts, schema).stream()
                                .flatMap(type -> enumeration(facts, type).stream())
                                .toList(),
                        relations(facts, types, schema),
                        SchemaObjects.relations(facts, schema, SchemaObjects::isComposite).stream()
                                .map(type -> composite(facts, types, type))
                                .toList()))
                .toList());
    }

    private static Optional<Enumeration> enumeration(ProjectFacts facts, Type type) {
        return Optional.ofNullable(facts.labels().get(type.oid()))
                .map(labels -> new Enumeration(type.oid(), type.name(), labels));
    }

    private static List<Rows> relations(ProjectFacts facts, WireTypes types, Namespace schema) {
        List<Rows> found = SchemaObjects.tables(facts, schema).stream()
                .map(table -> table(facts, types, table))
                .collect(Collectors.toList());
        SchemaObjects.relations(facts, schema, Relation::isView).stream()
                .map(view -> view(facts, types, view))
                .forEach(found::add);
        return found;
    }

    private static Rows table(ProjectFacts facts, WireTypes types, Relation table) {
        return new Rows(
                table.oid(),
                table.name(),
                sorted(facts, table)
                        .map(column -> {
                            boolean nullable = !SchemaObjects.isNotNull(facts, column);
                            return new Field(
                                    column.name(),
                                    types.of(column.type()),
                                    nullable,
                                    nullable
                                            || column.hasDefault()
                                            || !column.identity().isEmpty(),
                                    !SchemaObjects.isComputed(column),
                                    !column.identity().isEmpty());
                        })
                        .toList(),
                true,
                true);
    }

    private static Rows view(ProjectFacts facts, WireTypes types, Relation view) {
        Optional<ViewRow> rule = Optional.ofNullable(facts.views().get(view.oid()));
        int events = rule.map(ViewRow::events).orElse(0);
        Set<Integer> updatable = rule.map(ViewRow::updatable).map(Set::copyOf).orElse(Set.of());
        return new Rows(
                view.oid(),
                view.name(),
                sorted(facts, view)
                        .map(column -> new Field(
                                column.name(),
                                types.of(column.type()),
                                true,
                                true,
                                updatable.contains(column.number()),
                                false))
                        .toList(),
                (events & INSERT) != 0,
                (events & UPDATE) != 0);
    }

    private static Rows composite(ProjectFacts facts, WireTypes types, Relation type) {
        return new Rows(
                type.oid(),
                type.name(),
                sorted(facts, type)
                        .map(column -> new Field(column.name(), types.of(column.type()), true, true, true, false))
                        .toList(),
                false,
                false);
    }

    private static Stream<Column> sorted(ProjectFacts facts, Relation relation) {
        return facts.columnsOf(relation.oid()).stream().sorted(Comparator.comparing(Column::name));
    }
}
