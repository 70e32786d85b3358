package svc.management.introspection;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Constraint;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.TableStatistics;
import svc.management.introspection.ProjectFacts.Type;

/**
 * A table or view as the tool {@code list_tables} shows it, in the shape of Supabase's. What is empty is omitted. Pure.
 *
 * @param name with its schema
 * @param rows an estimate of the statistics collector; null where there is none
 * @param columns omitted unless asked for, as what follows it
 */
record TableView(
        String name,
        String kind,
        boolean rlsEnabled,
        @JsonInclude(JsonInclude.Include.ALWAYS) Long rows,
        String comment,
        List<ColumnView> columns,
        List<String> primaryKeys,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeyView> foreignKeyConstraints) {
    /** How PostgreSQL writes its own types, where that differs from their names in the catalog. */
    private static final Map<String, String> WRITTEN = Map.ofEntries(
            Map.entry("int2", "smallint"),
            Map.entry("int4", "integer"),
            Map.entry("int8", "bigint"),
            Map.entry("float4", "real"),
            Map.entry("float8", "double precision"),
            Map.entry("bool", "boolean"),
            Map.entry("bpchar", "character"),
            Map.entry("varchar", "character varying"),
            Map.entry("varbit", "bit varying"),
            Map.entry("time", "time without time zone"),
            Map.entry("timetz", "time with time zone"),
            Map.entry("timestamp", "timestamp without time zone"),
            Map.entry("timestamptz", "timestamp with time zone"));

    /**
     * A column.
     *
     * @param dataType as in {@code information_schema}: the written name, ARRAY or USER-DEFINED
     * @param format the type's name in the catalog; of a domain its base
     * @param options identity, generated, nullable, updatable (of tables alone) and unique (of itself)
     */
    record ColumnView(
            String name,
            String dataType,
            String format,
            List<String> options,
            String defaultValue,
            String identityGeneration,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> enums,
            String check,
            String comment) {}

    record KeyView(
            String name,
            String sourceTable,
            List<String> sourceColumns,
            String targetTable,
            List<String> targetColumns) {}

    static TableView of(TableCatalog catalog, Relation relation, boolean verbose) {
        ProjectFacts facts = catalog.facts();
        TableStatistics statistics = facts.tableStatistics().get(relation.oid());
        return new TableView(
                named(facts, relation),
                switch (relation.kind()) {
                    case "v" -> "view";
                    case "m" -> "materialized view";
                    case "f" -> "foreign table";
                    default -> "table";
                },
                relation.rowSecurity(),
                statistics == null ? null : statistics.live(),
                catalog.comment(relation.oid(), 0).orElse(null),
                verbose ? columns(catalog, relation) : null,
                verbose ? primaryKey(facts, relation) : null,
                verbose ? foreignKeys(facts, relation) : null);
    }

    private static String named(ProjectFacts facts, Relation relation) {
        return facts.schemaOf(relation) + "." + relation.name();
    }

    private static List<Constraint> keys(ProjectFacts facts, Relation relation, String kind) {
        return facts.constraints().stream()
                .filter(key -> key.relation() == relation.oid() && key.kind().equals(kind))
                .toList();
    }

    private static List<String> primaryKey(ProjectFacts facts, Relation relation) {
        return keys(facts, relation, "p").stream()
                .flatMap(key -> facts.columnNames(relation.oid(), key.columns()).stream())
                .toList();
    }

    private static List<KeyView> foreignKeys(ProjectFacts facts, Relation relation) {
        return keys(facts, relation, "f").stream()
                .map(key -> new KeyView(
                        key.name(),
                        named(facts, relation),
                        facts.columnNames(relation.oid(), key.columns()),
                        Optional.ofNullable(facts.relations().get(key.target()))
                                .map(target -> named(facts, target))
                                .orElse("?"),
                        facts.columnNames(key.target(), key.targetColumns())))
                .toList();
    }

    private static List<ColumnView> columns(TableCatalog catalog, Relation relation) {
        ProjectFacts facts = catalog.facts();
        List<Integer> unique = keys(facts, relation, "u").stream()
                .filter(key -> key.columns().size() == 1)
                .map(key -> key.columns().getFirst())
                .toList();
        return facts.columnsOf(relation.oid()).stream()
                .map(column -> view(catalog, relation, column, unique.contains(column.number())))
                .toList();
    }

    private static ColumnView view(TableCatalog catalog, Relation relation, Column column, boolean unique) {
        ProjectFacts facts = catalog.facts();
        Type declared = facts.types().get(column.type());
        Type type = declared == null || declared.base() == 0
                ? declared
                : facts.types().getOrDefault(declared.base(), declared);
        List<String> options = new ArrayList<>();
        if (!column.identity().isEmpty()) {
            options.add("identity");
        }
        if (!column.generated().isEmpty()) {
            options.add("generated");
        }
        if (!column.notNull() && (declared == null || !declared.notNull())) {
            options.add("nullable");
        }
        if (relation.isTable()) {
            options.add("updatable");
        }
        if (unique) {
            options.add("unique");
        }
        return new ColumnView(
                column.name(),
                dataType(type),
                type == null ? "?" : type.name(),
                options,
                catalog.defaultOf(column).orElse(null),
                switch (column.identity()) {
                    case "a" -> "ALWAYS";
                    case "d" -> "BY DEFAULT";
                    default -> null;
                },
                enums(facts, type),
                catalog.checkOf(column).orElse(null),
                catalog.comment(column.relation(), column.number()).orElse(null));
    }

    private static String dataType(Type type) {
        if (type == null) {
            return "?";
        }
        if (type.element() != 0) {
            return "ARRAY";
        }
        return type.schema().equals("pg_catalog") ? WRITTEN.getOrDefault(type.name(), type.name()) : "USER-DEFINED";
    }

    /** Of an enum, or of the elements of an array. */
    private static List<String> enums(ProjectFacts facts, Type type) {
        if (type == null) {
            return List.of();
        }
        return facts.labels().getOrDefault(type.element() == 0 ? type.oid() : type.element(), List.of());
    }
}
