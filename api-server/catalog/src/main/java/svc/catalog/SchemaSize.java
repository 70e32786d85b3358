package svc.catalog;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Estimates the heap size of a schema on a 64-bit JVM with compressed references: each object's header and fields, rounded
 * up to eight bytes. Equal strings count once, because a load interns them; what all schemas share does not count.
 */
final class SchemaSize {
    private static final long SCHEMA = 400;
    private static final long TABLE = 48;
    private static final long NAME = 24;
    private static final long COLUMN = 40;
    private static final long KEY = 32;
    private static final long SIDE = 24;
    private static final long END = 24;
    private static final long ROUTINE = 48;
    private static final long PARAMETER = 24;
    private static final long RETURNS = 32;
    private static final long TYPE = 40;
    private static final long OPTIONAL = 16;
    private static final long NUMBER = 16;
    private static final long ENTRY = 16;
    private static final long LIST = 24;

    private final Set<String> texts = new HashSet<>();
    private final Set<DataType> types = new HashSet<>();
    private long bytes = SCHEMA;

    private SchemaSize() {}

    static long of(ProjectSchema schema) {
        var size = new SchemaSize();
        schema.tables().forEach(size::add);
        schema.relationships().keys().forEach(size::add);
        schema.relationships().functions().forEach(size::add);
        schema.routines().all().forEach(overloads -> {
            size.bytes += ENTRY + NAME + LIST;
            overloads.forEach(size::add);
        });
        schema.routines().computed().forEach(size::add);
        schema.descriptions().forEach((name, text) -> size.text(text));
        schema.roles().forEach((name, role) -> {
            size.text(name);
            size.bytes += ENTRY + LIST;
            role.settings().forEach(setting -> {
                size.text(setting.name());
                size.text(setting.value());
                size.bytes += SIDE;
            });
        });
        size.bytes += schema.handlers().size() * (SIDE + NAME + OPTIONAL);
        return size.bytes;
    }

    private void add(Table table) {
        bytes += ENTRY + TABLE;
        name(table.id());
        list(table.columns());
        list(table.uniqueKeys());
        table.uniqueKeys().forEach(this::list);
        list(table.primaryKey());
        optional(table.description());
        for (Table.Column column : table.columns()) {
            bytes += COLUMN + (column.maxLength().isPresent() ? OPTIONAL + NUMBER : 0);
            text(column.name());
            type(column.dataType());
            optional(column.defaultValue());
            optional(column.description());
        }
    }

    private void add(ForeignKey key) {
        bytes += KEY + 2 * LIST;
        text(key.constraint());
        optional(key.description());
        for (List<ForeignKey.Side> sides : List.of(key.sides(), key.foreignSides())) {
            list(sides);
            for (ForeignKey.Side side : sides) {
                bytes += SIDE + NAME + END + ENTRY;
                list(side.columns());
            }
        }
    }

    private void add(Relationship.Computed one) {
        bytes += SIDE + 2 * NAME + ENTRY + LIST;
        name(one.function());
        optional(one.description());
    }

    private void add(ComputedColumn one) {
        bytes += SIDE + NAME + ENTRY + LIST;
        name(one.function());
        optional(one.description());
        type(one.type());
    }

    private void add(Routine routine) {
        bytes += ROUTINE + RETURNS;
        name(routine.id());
        list(routine.parameters());
        list(routine.settings());
        optional(routine.description());
        for (Routine.Parameter parameter : routine.parameters()) {
            bytes += PARAMETER;
            text(parameter.name());
            type(parameter.type());
            optional(parameter.defaultValue());
        }
        for (Routine.Setting setting : routine.settings()) {
            bytes += PARAMETER;
            text(setting.value());
        }
        type(routine.returns().type());
        bytes += routine.returns().relation().isPresent() ? OPTIONAL : 0;
        list(routine.returns().columns());
        for (Routine.Output column : routine.returns().columns()) {
            bytes += PARAMETER;
            text(column.name());
            type(column.type());
        }
    }

    private void type(DataType type) {
        if (!type.id().schema().equals("pg_catalog") && types.add(type)) {
            bytes += TYPE + OPTIONAL;
            name(type.id());
            text(type.displayed());
            list(type.enumValues());
            type.enumValues().forEach(this::text);
            optional(type.description());
        }
    }

    private void name(QualifiedIdentifier name) {
        bytes += NAME;
        text(name.schema());
        text(name.name());
    }

    private void optional(Optional<String> text) {
        text.ifPresent(present -> {
            bytes += OPTIONAL;
            text(present);
        });
    }

    /** Up to two elements lie in the list itself; an empty one is shared. */
    private void list(Collection<?> list) {
        if (!list.isEmpty()) {
            bytes += LIST + (list.size() > 2 ? 16 + eight(list.size() * 4L) : 0);
        }
    }

    private void text(String text) {
        if (texts.add(text)) {
            boolean latin = text.chars().allMatch(c -> c < 256);
            bytes += 24 + eight(16 + (latin ? 1L : 2L) * text.length());
        }
    }

    private static long eight(long bytes) {
        return (bytes + 7) / 8 * 8;
    }
}
