package svc.management.introspection;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The catalog of one project as {@code facts.sql} reads it: rows that refer to each other by OID, and lookups over them.
 * Schemas have the names that applications use ({@code public}, {@code auth}), texts too. Immutable.
 *
 * @param relations tables, views, materialized views, foreign tables and composite types
 * @param columns by relation, in their order
 * @param labels of enums, by type, in their order
 * @param extensionMembers objects that belong to an extension
 * @param viewSources the relations that each view reads
 * @param views how views show columns; empty unless it was asked for
 * @param exposed OIDs of the schemas that the REST API serves, the default first
 */
public record ProjectFacts(
        Map<Long, Namespace> namespaces,
        Map<Long, Relation> relations,
        Map<Long, List<Column>> columns,
        Map<Long, Type> types,
        Map<Long, List<String>> labels,
        List<Constraint> constraints,
        List<Index> indexes,
        List<Policy> policies,
        List<Routine> routines,
        Set<Long> extensionMembers,
        Map<Long, Set<Long>> viewSources,
        List<Extension> extensions,
        Map<Long, TableStatistics> tableStatistics,
        Map<Long, Long> indexScans,
        Map<Long, ViewRow> views,
        List<Long> exposed,
        Roles roles) {
    /** OIDs of the roles of callers; 0 for one that the database does not have. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"anon", "authenticated"})
    public record Roles(long anon, long authenticated) {}

    /** A schema; the flags say which callers may use it. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"oid", "name", "anon", "authenticated"})
    public record Namespace(long oid, String name, boolean anon, boolean authenticated) {
        Namespace named(String other) {
            return new Namespace(oid, other, anon, authenticated);
        }
    }

    /**
     * A relation.
     *
     * @param kind {@code pg_class.relkind}
     * @param rowType its row type
     * @param options its storage parameters, {@code name=value}
     * @param anon whether the role anon may read all its columns; {@code authenticated} likewise
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({
        "oid",
        "namespace",
        "name",
        "kind",
        "rowType",
        "rowSecurity",
        "partition",
        "options",
        "anon",
        "authenticated"
    })
    public record Relation(
            long oid,
            long namespace,
            String name,
            String kind,
            long rowType,
            boolean rowSecurity,
            boolean partition,
            List<String> options,
            boolean anon,
            boolean authenticated) {
        public boolean isTable() {
            return kind.equals("r") || kind.equals("p");
        }

        public boolean isView() {
            return kind.equals("v") || kind.equals("m");
        }
    }

    /** A column; {@code identity} and {@code generated} as in {@code pg_attribute}. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"relation", "number", "name", "type", "notNull", "hasDefault", "identity", "generated"})
    public record Column(
            long relation,
            int number,
            String name,
            long type,
            boolean notNull,
            boolean hasDefault,
            String identity,
            String generated) {}

    /**
     * A type.
     *
     * @param kind {@code pg_type.typtype}
     * @param base of a domain, else 0
     * @param element of an array, else 0
     * @param relation of a row type, else 0
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"oid", "schema", "name", "kind", "base", "element", "relation", "notNull"})
    public record Type(
            long oid,
            String schema,
            String name,
            String kind,
            long base,
            long element,
            long relation,
            boolean notNull) {}

    /** A primary, unique or foreign key; {@code kind} as in {@code pg_constraint.contype}. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"name", "kind", "relation", "index", "columns", "target", "targetColumns", "parent"})
    public record Constraint(
            String name,
            String kind,
            long relation,
            long index,
            List<Integer> columns,
            long target,
            List<Integer> targetColumns,
            long parent) {}

    /**
     * A valid index.
     *
     * @param columns attribute numbers of the key and the included columns, 0 for an expression
     * @param definition equal for indexes that differ in their name only
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"oid", "name", "relation", "unique", "primary", "partial", "columns", "definition"})
    public record Index(
            long oid,
            String name,
            long relation,
            boolean unique,
            boolean primary,
            boolean partial,
            List<Integer> columns,
            String definition) {}

    /**
     * A policy.
     *
     * @param command {@code r}, {@code a}, {@code w}, {@code d} or {@code *}
     * @param roles OIDs; 0 is PUBLIC
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"name", "relation", "command", "permissive", "roles", "using", "check"})
    public record Policy(
            String name,
            long relation,
            String command,
            boolean permissive,
            List<Long> roles,
            Optional<String> using,
            Optional<String> check) {
        public Stream<String> expressions() {
            return Stream.concat(using.stream(), check.stream());
        }

        Policy withTexts(Optional<String> otherUsing, Optional<String> otherCheck) {
            return new Policy(name, relation, command, permissive, roles, otherUsing, otherCheck);
        }
    }

    /**
     * A function, procedure or aggregate.
     *
     * @param kind {@code pg_proc.prokind}
     * @param types of all parameters
     * @param modes of all parameters; empty when all are IN
     * @param names of all parameters; empty when none has one
     * @param defaults number of parameters with a default, the last ones
     * @param anon whether the role anon may call it; {@code authenticated} likewise
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({
        "oid",
        "namespace",
        "name",
        "kind",
        "definer",
        "settings",
        "types",
        "modes",
        "names",
        "defaults",
        "returns",
        "set",
        "rows",
        "anon",
        "authenticated"
    })
    public record Routine(
            long oid,
            long namespace,
            String name,
            String kind,
            boolean definer,
            List<String> settings,
            List<Long> types,
            List<String> modes,
            List<String> names,
            int defaults,
            long returns,
            boolean set,
            double rows,
            boolean anon,
            boolean authenticated) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"kind", "object", "target"})
    record Dependency(String kind, long object, long target) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"type", "text"})
    record Label(long type, String text) {}

    /** An installed extension; {@code newest} is null where the server has no files of it. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"name", "schema", "version", "newest"})
    public record Extension(String name, String schema, String version, String newest) {}

    /** Estimates of the statistics collector. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"relation", "live", "dead"})
    public record TableStatistics(long relation, long live, long dead) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"index", "scans"})
    record IndexStatistics(long index, long scans) {}

    /**
     * A view's rule.
     *
     * @param events bits of {@code pg_relation_is_updatable}
     * @param updatable numbers of the columns that can be changed; null for none
     * @param rule its query as a node tree; empty for one that is too long
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"oid", "events", "updatable", "rule"})
    public record ViewRow(long oid, int events, List<Integer> updatable, String rule) {}

    /** The schema's name, as applications write it; empty for one that is the platform's. */
    public String schemaOf(Relation relation) {
        return Optional.ofNullable(namespaces.get(relation.namespace()))
                .map(Namespace::name)
                .orElse("");
    }

    /** Whether the REST API serves its schema. */
    public boolean isExposed(long namespace) {
        return exposed.contains(namespace);
    }

    public List<Column> columnsOf(long relation) {
        return columns.getOrDefault(relation, List.of());
    }

    /** The name of a type, with {@code []} for an array. */
    public String typeName(long oid) {
        Type type = types.get(oid);
        if (type == null) {
            return "?";
        }
        return type.element() != 0 ? typeName(type.element()) + "[]" : type.name();
    }

    /** The names of columns, in the given order. */
    public List<String> columnNames(long relation, List<Integer> numbers) {
        Map<Integer, String> names =
                columnsOf(relation).stream().collect(Collectors.toMap(Column::number, Column::name));
        return numbers.stream().map(number -> names.getOrDefault(number, "")).toList();
    }
}
