package svc.database.project.companion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import svc.database.sql.Identifier;

/**
 * The companion schemas of a project, in one version. An upgrade may only add: columns that rewrite nothing, tables,
 * functions, policies, grants. It never reads or writes a row, because a tenant's triggers, policies and generated values
 * run with the privileges of the role that touches the row.
 *
 * @param version 1 and up; recorded with each project
 */
public record Companion(int version, List<CompanionTable> tables, List<CompanionFunction> functions) {
    public Companion {
        tables = List.copyOf(tables);
        functions = List.copyOf(functions);
        if (version < 1) {
            throw new IllegalArgumentException("a companion version is 1 or higher");
        }
    }

    /** The version of new projects; old ones are upgraded to it. */
    public static Companion current() {
        return LeanCompanion.CURRENT;
    }

    /**
     * What a project has that has used these services: their tables complete, and the others of each. It follows
     * {@link #current} by additive DDL, because no role could write the lean tables before: the owner gets its rights on rows
     * together with what keeps them in order.
     */
    public static Companion using(Set<CompanionSchema> services) {
        Companion lean = current();
        Map<String, CompanionTable> complete = new HashMap<>();
        List<CompanionTable> more = new ArrayList<>();
        if (services.contains(CompanionSchema.AUTH)) {
            complete.put(AuthCompanion.USERS.label(), AuthCompanion.USERS);
            more.addAll(AuthCompanion.TABLES);
        }
        if (services.contains(CompanionSchema.STORAGE)) {
            complete.put(StorageCompanion.BUCKETS.label(), StorageCompanion.BUCKETS);
            complete.put(StorageCompanion.OBJECTS.label(), StorageCompanion.OBJECTS);
            more.addAll(StorageCompanion.TABLES);
        }
        if (services.contains(CompanionSchema.REALTIME)) {
            complete.put(RealtimeCompanion.MESSAGES.label(), RealtimeCompanion.MESSAGES);
        }
        List<CompanionTable> tables = new ArrayList<>();
        lean.tables.forEach(table -> tables.add(complete.getOrDefault(table.label(), table)));
        tables.addAll(more);
        return new Companion(lean.version, tables, lean.functions);
    }

    /**
     * Why this version cannot follow {@code earlier} by additive DDL alone; empty when it can. New indexes and constraints
     * on a table that exists are refused, because building them reads its rows.
     */
    public List<String> obstaclesToFollow(Companion earlier) {
        List<String> obstacles = new ArrayList<>();
        if (version <= earlier.version) {
            obstacles.add("version " + version + " does not follow " + earlier.version);
        }
        Map<String, CompanionTable> byLabel =
                tables.stream().collect(Collectors.toMap(CompanionTable::label, Function.identity()));
        for (CompanionTable before : earlier.tables) {
            CompanionTable after = byLabel.get(before.label());
            if (after == null) {
                obstacles.add("table " + before.label() + " is gone");
            } else {
                compare(before, after, obstacles);
            }
        }
        Map<String, CompanionFunction> functionByLabel =
                functions.stream().collect(Collectors.toMap(CompanionFunction::label, Function.identity()));
        for (CompanionFunction before : earlier.functions) {
            CompanionFunction after = functionByLabel.get(before.label());
            if (after == null || !after.returns().equals(before.returns())) {
                obstacles.add("function " + before.label() + " is gone or returns another type");
            }
        }
        return obstacles;
    }

    private static void compare(CompanionTable before, CompanionTable after, List<String> obstacles) {
        Map<Identifier, Column> columns =
                after.columns().stream().collect(Collectors.toMap(Column::name, Function.identity()));
        for (Column column : before.columns()) {
            Column now = columns.remove(column.name());
            if (now == null || !now.shape().equals(column.shape()) || (column.nullable() && !now.nullable())) {
                obstacles.add("column " + before.label() + "." + column.name().name() + " is gone or changed");
            }
        }
        for (Column added : columns.values()) {
            if (!added.additive()) {
                obstacles.add("column " + before.label() + "." + added.name().name() + " would touch rows");
            }
        }
        for (TablePart part : after.parts()) {
            boolean readsRows = part instanceof TablePart.Constraint || part instanceof TablePart.Index;
            if (readsRows && before.parts().stream().noneMatch(old -> old.name().equals(part.name()))) {
                obstacles.add(part.name().name() + " on " + before.label() + " would read rows");
            }
        }
    }
}
