package svc.management.types;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Type;

/** PostgreSQL's types as TypeScript's: what a value of each is in a response of the REST API. Pure. */
final class TypescriptTypes {
    private static final String CATALOG = "pg_catalog";
    private static final String UNKNOWN = "unknown";
    private static final String OR_NULL = " | null";

    /** Domains over domains, arrays of domains: deeper nesting has no use. */
    private static final int MAX_DEPTH = 16;

    private static final Map<String, String> BUILT_IN = builtIn();

    /** Types of extensions, whatever their schema. */
    private static final Map<String, String> OF_EXTENSIONS =
            Map.of("citext", "string", "vector", "string", "halfvec", "string", "ltree", "string", "hstore", "string");

    private final ProjectFacts facts;
    private final Set<Long> included;
    private final Map<String, Long> namespaces = new HashMap<>();

    /** @param included OIDs of the schemas whose types have a name in the result */
    TypescriptTypes(ProjectFacts facts, Set<Long> included) {
        this.facts = facts;
        this.included = included;
        facts.namespaces().forEach((oid, namespace) -> namespaces.put(namespace.name(), oid));
    }

    private static Map<String, String> builtIn() {
        Map<String, String> types = new HashMap<>();
        for (String name : List.of("int2", "int4", "int8", "float4", "float8", "numeric")) {
            types.put(name, "number");
        }
        for (String name : List.of(
                "text",
                "varchar",
                "bpchar",
                "name",
                "uuid",
                "bytea",
                "date",
                "time",
                "timetz",
                "timestamp",
                "timestamptz",
                "interval",
                "char",
                "xml")) {
            types.put(name, "string");
        }
        types.put("bool", "boolean");
        types.put("json", "Json");
        types.put("jsonb", "Json");
        types.put("void", "undefined");
        types.put("record", "Record<string, unknown>");
        return Map.copyOf(types);
    }

    /** The type of a value that is not null. */
    String of(long oid) {
        return of(oid, 0);
    }

    private String of(long oid, int depth) {
        Type type = facts.types().get(oid);
        if (type == null || depth > MAX_DEPTH) {
            return UNKNOWN;
        }
        if (type.element() != 0) {
            return arrayOf(of(type.element(), depth + 1));
        }
        return switch (type.kind()) {
            case "d" -> of(type.base(), depth + 1);
            case "e" -> enumeration(type);
            case "c" -> row(type);
            default ->
                type.schema().equals(CATALOG)
                        ? BUILT_IN.getOrDefault(type.name(), UNKNOWN)
                        : OF_EXTENSIONS.getOrDefault(type.name(), UNKNOWN);
        };
    }

    private static String arrayOf(String element) {
        return element.contains(" | ") ? "(" + element + ")[]" : element + "[]";
    }

    private String enumeration(Type type) {
        return isIncluded(type.schema()) ? member(type.schema(), "Enums", type.name()) : labels(type);
    }

    /** The labels of an enum; without any it has no value. */
    String labels(Type type) {
        List<String> labels = facts.labels().getOrDefault(type.oid(), List.of());
        return labels.isEmpty() ? "never" : String.join(" | ", TypescriptText.quoted(labels));
    }

    private String row(Type type) {
        Relation relation = facts.relations().get(type.relation());
        if (relation == null || !included.contains(relation.namespace())) {
            return UNKNOWN;
        }
        String schema = facts.schemaOf(relation);
        if (relation.kind().equals("c")) {
            return member(schema, "CompositeTypes", type.name());
        }
        return member(schema, relation.isView() ? "Views" : "Tables", type.name()) + "[\"Row\"]";
    }

    private boolean isIncluded(String schema) {
        Long oid = namespaces.get(schema);
        return oid != null && included.contains(oid);
    }

    private static String member(String schema, String kind, String name) {
        return "Database[" + TypescriptText.quoted(schema) + "][\"" + kind + "\"][" + TypescriptText.quoted(name) + "]";
    }

    /** The type of a column in a row; columns of views may always be null. */
    String of(Column column, boolean view) {
        String type = of(column.type());
        return !view && SchemaObjects.isNotNull(facts, column) ? type : orNull(type);
    }

    static String orNull(String type) {
        return type + OR_NULL;
    }

    /** The columns of a relation with their types, by name. */
    Map<String, String> rowOf(Relation relation) {
        return sorted(facts.columnsOf(relation.oid())).stream()
                .collect(Collectors.toMap(
                        column -> TypescriptText.name(column.name()),
                        column ->
                                of(column, relation.isView() || relation.kind().equals("c")),
                        (first, second) -> first,
                        LinkedHashMap::new));
    }

    static List<Column> sorted(List<Column> columns) {
        List<Column> byName = new ArrayList<>(columns);
        byName.sort(Comparator.comparing(Column::name));
        return byName;
    }
}
