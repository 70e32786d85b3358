package svc.catalog;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Optional;

/**
 * The catalog rows of one snapshot, as {@code catalog.sql} returns them. Relations, columns and types refer to each other
 * by OID.
 */
record CatalogSnapshot(
        String version,
        List<SchemaRow> schemas,
        List<RelationRow> relations,
        List<TypeRow> types,
        List<RoutineRow> routines,
        List<RoleRow> roles) {
    record VersionRow(Optional<String> text) {}

    record SchemaRow(String name, Optional<String> comment) {}

    /** @param settings {@code name=value} */
    record RoleRow(String name, List<String> settings) {}

    /**
     * A relation.
     *
     * @param exposed false for a relation that is only read by an exposed view
     * @param rowSecurity whether policies apply to its rows
     * @param rows as PostgreSQL estimates them; 0 if it does not know
     * @param events bit mask of the supported statements, as {@code pg_relation_is_updatable} returns it
     * @param rule of a view: what its query, a node tree ({@code pg_rewrite.ev_action}), says of its columns
     */
    record RelationRow(
            long oid,
            String schema,
            String name,
            String kind,
            boolean exposed,
            boolean partition,
            boolean rowSecurity,
            long rows,
            int events,
            Optional<String> comment,
            List<ColumnRow> columns,
            List<KeyRow> keys,
            List<ForeignKeyRow> foreignKeys,
            Optional<ViewColumns> rule) {
        QualifiedIdentifier id() {
            return new QualifiedIdentifier(schema, name);
        }

        RelationRow withTexts(
                Optional<String> otherComment, List<ColumnRow> otherColumns, List<ForeignKeyRow> otherForeignKeys) {
            return new RelationRow(
                    oid,
                    schema,
                    name,
                    kind,
                    exposed,
                    partition,
                    rowSecurity,
                    rows,
                    events,
                    otherComment,
                    otherColumns,
                    keys,
                    otherForeignKeys,
                    rule);
        }
    }

    /** @param displayed the type with its modifier, if it has one and is not built in */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({
        "number",
        "name",
        "type",
        "typmod",
        "notNull",
        "identity",
        "generated",
        "defaultValue",
        "comment",
        "displayed"
    })
    record ColumnRow(
            int number,
            String name,
            long type,
            int typmod,
            boolean notNull,
            String identity,
            String generated,
            Optional<String> defaultValue,
            Optional<String> comment,
            Optional<String> displayed) {
        ColumnRow withoutTexts() {
            return new ColumnRow(
                    number,
                    name,
                    type,
                    typmod,
                    notNull,
                    identity,
                    generated,
                    Optional.empty(),
                    Optional.empty(),
                    displayed);
        }
    }

    /** @param kind {@code p} or {@code u} */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"kind", "columns"})
    record KeyRow(String kind, List<Integer> columns) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"name", "foreignRelation", "columns", "foreignColumns", "comment"})
    record ForeignKeyRow(
            String name,
            long foreignRelation,
            List<Integer> columns,
            List<Integer> foreignColumns,
            Optional<String> comment) {
        ForeignKeyRow withoutComment() {
            return new ForeignKeyRow(name, foreignRelation, columns, foreignColumns, Optional.empty());
        }
    }

    /**
     * A type.
     *
     * @param form {@code pg_type.typtype}, or {@code a} for an array
     * @param base of a domain: OID of its base type; else 0
     * @param element of an array: OID of its elements' type; else 0
     * @param relation of a row type: OID of its relation; else 0
     * @param comment of an enum
     */
    record TypeRow(
            long oid,
            String schema,
            String name,
            String displayed,
            String form,
            long base,
            long element,
            int typmod,
            boolean notNull,
            long relation,
            Optional<String> defaultValue,
            List<String> labels,
            Optional<String> comment,
            List<CastRow> casts) {
        TypeRow withoutComment() {
            return new TypeRow(
                    oid,
                    schema,
                    name,
                    displayed,
                    form,
                    base,
                    element,
                    typmod,
                    notNull,
                    relation,
                    defaultValue,
                    labels,
                    Optional.empty(),
                    casts);
        }
    }

    /** @param direction {@code to} or {@code from} the other type */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"direction", "other", "functionSchema", "functionName"})
    record CastRow(String direction, String other, String functionSchema, String functionName) {
        QualifiedIdentifier function() {
            return new QualifiedIdentifier(functionSchema, functionName);
        }
    }

    /**
     * A function or an aggregate.
     *
     * @param types of all parameters
     * @param modes of all parameters; empty when all are IN
     * @param names of all parameters; empty when none has one
     * @param defaults how many of the input parameters, the last ones, have defaults
     * @param expressions the defaults of all parameters, null for none; empty when none has one
     */
    record RoutineRow(
            long oid,
            String schema,
            String name,
            boolean exposed,
            boolean aggregate,
            List<Long> types,
            List<String> modes,
            List<String> names,
            int defaults,
            Optional<List<String>> expressions,
            long returns,
            boolean set,
            boolean single,
            String volatility,
            List<String> settings,
            Optional<String> comment) {
        QualifiedIdentifier id() {
            return new QualifiedIdentifier(schema, name);
        }

        RoutineRow withoutComment() {
            return new RoutineRow(
                    oid,
                    schema,
                    name,
                    exposed,
                    aggregate,
                    types,
                    modes,
                    names,
                    defaults,
                    expressions,
                    returns,
                    set,
                    single,
                    volatility,
                    settings,
                    Optional.empty());
        }
    }
}
