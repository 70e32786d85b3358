package svc.database.project.companion;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * A table that the platform owns and tenants build upon.
 *
 * @param rowSecurity whether rows show only through policies
 * @param grants the privileges of each role; every other privilege is drift and is revoked
 * @param readable columns that a role may read without SELECT on the table
 */
public record CompanionTable(
        CompanionSchema schema,
        Identifier name,
        boolean rowSecurity,
        List<Column> columns,
        List<TablePart> parts,
        Map<DatabaseRole, Set<Privilege>> grants,
        Map<DatabaseRole, List<Identifier>> readable) {
    public CompanionTable {
        columns = List.copyOf(columns);
        parts = List.copyOf(parts);
        Map<DatabaseRole, Set<Privilege>> copy = new EnumMap<>(DatabaseRole.class);
        grants.forEach((role, privileges) -> copy.put(role, Collections.unmodifiableSet(EnumSet.copyOf(privileges))));
        grants = Collections.unmodifiableMap(copy);
        readable = readable.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(readable));
    }

    public static CompanionTable of(
            CompanionSchema schema, @CompileTimeConstant final String name, boolean rowSecurity, Column... columns) {
        return new CompanionTable(
                schema, Identifier.of(name), rowSecurity, List.of(columns), List.of(), Map.of(), Map.of());
    }

    /**
     * The same columns with storage PLAIN, so that the table gets no TOAST table, which would cost every idle project an index
     * and twenty catalog rows. Hazard: a row of more than 8 KB is refused (SQLSTATE 54000) until the columns get the storage
     * of their types, which also makes the TOAST table and touches no row.
     */
    CompanionTable inline() {
        List<Column> plain = columns.stream()
                .map(column -> column.stored(Column.Storage.PLAIN))
                .toList();
        return new CompanionTable(schema, name, rowSecurity, plain, parts, grants, readable);
    }

    /** The same columns with the storage of their types, as a table has them that is in use. */
    CompanionTable storedByType() {
        List<Column> plain = columns.stream()
                .map(column -> column.stored(Column.Storage.OF_TYPE))
                .toList();
        return new CompanionTable(schema, name, rowSecurity, plain, parts, grants, readable);
    }

    /** Whether long values of every column are stored as their types want it. */
    public boolean takesLongRows() {
        return columns.stream().allMatch(column -> column.storage() == Column.Storage.OF_TYPE);
    }

    /** The same with one column in another way: its default, or whether it may be null. */
    CompanionTable changing(@CompileTimeConstant final String column, UnaryOperator<Column> change) {
        List<Column> changed = columns.stream()
                .map(each -> each.name().name().equals(column) ? change.apply(each) : each)
                .toList();
        if (changed.equals(columns)) {
            throw new IllegalArgumentException(label() + " has no column " + column + " to change");
        }
        return new CompanionTable(schema, name, rowSecurity, changed, parts, grants, readable);
    }

    public CompanionTable with(TablePart part) {
        List<TablePart> more = new ArrayList<>(parts);
        more.add(part);
        return new CompanionTable(schema, name, rowSecurity, columns, more, grants, readable);
    }

    public CompanionTable with(Column column) {
        List<Column> more = new ArrayList<>(columns);
        more.add(column);
        return new CompanionTable(schema, name, rowSecurity, more, parts, grants, readable);
    }

    public CompanionTable granting(Set<Privilege> privileges, DatabaseRole... roles) {
        Map<DatabaseRole, Set<Privilege>> more = new EnumMap<>(DatabaseRole.class);
        more.putAll(grants);
        for (DatabaseRole role : roles) {
            more.put(role, privileges);
        }
        return new CompanionTable(schema, name, rowSecurity, columns, parts, more, readable);
    }

    /** The columns that these roles may read, and no other of this table. */
    CompanionTable readable(List<Identifier> columns, DatabaseRole... roles) {
        Map<DatabaseRole, List<Identifier>> more = new EnumMap<>(DatabaseRole.class);
        more.putAll(readable);
        for (DatabaseRole role : roles) {
            more.put(role, List.copyOf(columns));
        }
        return new CompanionTable(schema, name, rowSecurity, this.columns, parts, grants, more);
    }

    /** {@code auth.users}: as in facts and messages. */
    public String label() {
        return schema.label() + "." + name.name();
    }

    public SqlFragment in(ProjectNames names) {
        return schema.in(names).dot(name);
    }

    public <P extends TablePart> List<P> parts(Class<P> type) {
        return parts.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
