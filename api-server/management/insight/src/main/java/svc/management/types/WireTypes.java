package svc.management.types;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Type;
import svc.management.types.WireType.Kind;
import svc.management.types.WireType.Label;
import svc.management.types.WireType.ListOf;
import svc.management.types.WireType.Row;
import svc.management.types.WireType.Scalar;

/** PostgreSQL's types as values of JSON. Pure. */
final class WireTypes {
    private static final String CATALOG = "pg_catalog";
    private static final WireType TEXT = new Scalar(Kind.TEXT);
    private static final WireType ANY = new Scalar(Kind.JSON);

    /** Domains over domains, arrays of domains: deeper nesting has no use. */
    private static final int MAX_DEPTH = 16;

    /** Those of pg_catalog that are not strings of any form. */
    private static final Map<String, Kind> BUILT_IN = Map.ofEntries(
            Map.entry("bool", Kind.BOOL),
            Map.entry("int2", Kind.INT16),
            Map.entry("int4", Kind.INT32),
            Map.entry("int8", Kind.INT64),
            Map.entry("float4", Kind.FLOAT32),
            Map.entry("float8", Kind.FLOAT64),
            Map.entry("numeric", Kind.NUMERIC),
            Map.entry("uuid", Kind.UUID),
            Map.entry("date", Kind.DATE),
            Map.entry("time", Kind.TIME),
            Map.entry("timestamp", Kind.TIMESTAMP),
            Map.entry("timestamptz", Kind.TIMESTAMP),
            Map.entry("json", Kind.JSON),
            Map.entry("jsonb", Kind.JSON));

    /** Types of extensions that have no cast to json, whatever their schema. */
    private static final Set<String> TEXTS_OF_EXTENSIONS = Set.of("citext", "vector", "halfvec", "sparsevec", "ltree");

    private final ProjectFacts facts;
    private final Set<Long> included;
    private final Set<String> includedNames = new HashSet<>();
    private final Map<Long, WireType> known = new HashMap<>();

    /** @param included OIDs of the schemas whose types have a name in the result */
    WireTypes(ProjectFacts facts, Set<Long> included) {
        this.facts = facts;
        this.included = included;
        facts.namespaces().values().stream()
                .filter(schema -> included.contains(schema.oid()))
                .map(Namespace::name)
                .forEach(includedNames::add);
    }

    WireType of(long oid) {
        WireType found = known.get(oid);
        if (found == null) {
            found = of(oid, 0);
            known.put(oid, found);
        }
        return found;
    }

    private WireType of(long oid, int depth) {
        Type type = facts.types().get(oid);
        if (type == null || depth > MAX_DEPTH) {
            return ANY;
        }
        if (type.element() != 0) {
            return new ListOf(of(type.element(), depth + 1));
        }
        return switch (type.kind()) {
            case "d" -> of(type.base(), depth + 1);
            case "e" -> isNamed(type) ? new Label(oid) : TEXT;
            case "c" -> row(type);
            case "p" -> ANY;
            default -> scalar(type);
        };
    }

    /** An enum without labels has no value, and no name: languages have no such type. */
    private boolean isNamed(Type type) {
        return includedNames.contains(type.schema()) && facts.labels().containsKey(type.oid());
    }

    private WireType row(Type type) {
        Relation relation = facts.relations().get(type.relation());
        return relation != null
                        && included.contains(relation.namespace())
                        && !relation.partition()
                        && !facts.extensionMembers().contains(relation.oid())
                ? new Row(relation.oid())
                : ANY;
    }

    private static WireType scalar(Type type) {
        if (type.schema().equals(CATALOG)) {
            return new Scalar(BUILT_IN.getOrDefault(type.name(), Kind.TEXT));
        }
        return TEXTS_OF_EXTENSIONS.contains(type.name()) || type.kind().equals("r") ? TEXT : ANY;
    }
}
