package svc.management.types;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Type;

/** What of a schema is described, in the order of names. Pure. */
final class SchemaObjects {
    private SchemaObjects() {}

    static List<Relation> relations(ProjectFacts facts, Namespace schema, Predicate<Relation> kind) {
        return facts.relations().values().stream()
                .filter(relation -> relation.namespace() == schema.oid()
                        && !relation.partition()
                        && !facts.extensionMembers().contains(relation.oid()))
                .filter(kind)
                .sorted(Comparator.comparing(Relation::name))
                .toList();
    }

    static List<Relation> tables(ProjectFacts facts, Namespace schema) {
        return relations(facts, schema, relation -> !relation.isView() && !isComposite(relation));
    }

    static boolean isComposite(Relation relation) {
        return relation.kind().equals("c");
    }

    static List<Type> enums(ProjectFacts facts, Namespace schema) {
        return facts.types().values().stream()
                .filter(type -> type.kind().equals("e") && type.schema().equals(schema.name()))
                .sorted(Comparator.comparing(Type::name))
                .toList();
    }

    /** A value cannot be given: identity ALWAYS, or a generated column. */
    static boolean isComputed(Column column) {
        return column.identity().equals("a") || !column.generated().isEmpty();
    }

    /** Whether the column is never null: by itself, or by its domain. */
    static boolean isNotNull(ProjectFacts facts, Column column) {
        Type type = facts.types().get(column.type());
        return column.notNull() || type != null && type.kind().equals("d") && type.notNull();
    }
}
