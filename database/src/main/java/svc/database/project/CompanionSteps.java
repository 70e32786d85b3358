package svc.database.project;

import static svc.database.project.Fact.Kind.COLUMN;
import static svc.database.project.Fact.Kind.COLUMN_DEFAULT;
import static svc.database.project.Fact.Kind.COLUMN_NULL;
import static svc.database.project.Fact.Kind.CONSTRAINT;
import static svc.database.project.Fact.Kind.INDEX;
import static svc.database.project.Fact.Kind.OWNER;
import static svc.database.project.Fact.Kind.OWNER_PRIVILEGES;
import static svc.database.project.Fact.Kind.ROW_SECURITY;
import static svc.database.project.Fact.Kind.STORAGE;
import static svc.database.project.Fact.Kind.TABLE;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Column;
import svc.database.project.companion.CompanionTable;
import svc.database.project.companion.TablePart;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.database.sql.SqlValue;

/** The companion tables: made whole in one step, or given back what is missing part by part. */
final class CompanionSteps {
    private static final SqlTemplate CREATE = SqlTemplate.of("CREATE TABLE :{table} (:{elements});");
    private static final SqlTemplate OWN = SqlTemplate.of("ALTER TABLE :{table} OWNER TO :\"owner\";");
    private static final SqlTemplate ROWS = SqlTemplate.of("ALTER TABLE :{table} :{switch} ROW LEVEL SECURITY;");
    private static final SqlTemplate UNFORCED = SqlTemplate.of("ALTER TABLE :{table} NO FORCE ROW LEVEL SECURITY;");
    private static final SqlTemplate ADD_COLUMN = SqlTemplate.of("ALTER TABLE :{table} ADD COLUMN :{definition};");
    private static final SqlTemplate ALTER_COLUMN =
            SqlTemplate.of("ALTER TABLE :{table} ALTER COLUMN :\"column\" :{change};");
    private static final SqlTemplate STORE = SqlTemplate.of("ALTER TABLE :{table} :{columns};");
    private static final SqlTemplate STORE_COLUMN = SqlTemplate.of("ALTER COLUMN :\"column\" SET STORAGE DEFAULT");
    private static final SqlTemplate ADD_CONSTRAINT = SqlTemplate.of("ALTER TABLE :{table} ADD :{definition};");
    private static final SqlTemplate DROP_INDEX = SqlTemplate.of("DROP INDEX IF EXISTS :{index};");
    private static final SqlTemplate CREATE_INDEX =
            SqlTemplate.of("CREATE :{unique}INDEX :\"index\" ON :{table} :{definition};");
    private static final SqlTemplate CONSTRAINT_ELEMENT = SqlTemplate.of("CONSTRAINT :\"name\" :{definition}");

    private final ProjectNames names;

    CompanionSteps(ProjectNames names) {
        this.names = names;
    }

    List<SqlStep> steps(CompanionTable table) {
        List<SqlStep> parts = new ArrayList<>();
        Fact owned = new Fact(OWNER, "table " + table.label(), "companion");
        parts.add(SqlStep.of(
                "owner of table " + table.label(),
                Set.of(owned),
                OWN.bind(Map.of("table", table.in(names), "owner", PlatformNames.COMPANION_OWNER))));
        table.columns().forEach(column -> column(table, column, parts));
        if (table.takesLongRows()) {
            parts.add(storage(table));
        }
        table.parts(TablePart.Constraint.class).forEach(constraint -> parts.add(constraint(table, constraint)));
        table.parts(TablePart.Index.class).forEach(index -> parts.add(index(table, index)));
        parts.add(rowSecurity(table));
        Fact exists = Fact.of(TABLE, table.label());
        // A new table has no ACL yet, which gives its owner everything.
        Fact owning = new Fact(OWNER_PRIVILEGES, "table " + table.label(), "full");
        Set<Fact> provided = new LinkedHashSet<>(Set.of(exists, owning));
        parts.forEach(part -> provided.addAll(part.provides()));
        List<SqlStep> steps = new ArrayList<>();
        steps.add(new SqlStep(
                "create table " + table.label(), Set.of(exists), provided, SqlStep.As.COMPANION_OWNER, create(table)));
        steps.addAll(parts);
        return steps;
    }

    private SqlFragment create(CompanionTable table) {
        List<SqlFragment> elements = new ArrayList<>();
        table.columns().forEach(column -> elements.add(column.definition()));
        table.parts(TablePart.Constraint.class).forEach(constraint -> elements.add(element(constraint)));
        List<SqlFragment> statements = new ArrayList<>();
        statements.add(CREATE.bind(Map.of("table", table.in(names), "elements", SqlFragment.join(", ", elements))));
        table.parts(TablePart.Index.class).forEach(index -> statements.add(createIndex(table, index)));
        if (table.rowSecurity()) {
            statements.add(rows(table));
        }
        return SqlFragment.join("\n", statements);
    }

    private void column(CompanionTable table, Column column, List<SqlStep> steps) {
        String label = table.label() + "." + column.name().name();
        Fact shape = new Fact(COLUMN, label, column.shape());
        Fact value = new Fact(COLUMN_DEFAULT, label, column.plainDefault());
        Fact nullable = new Fact(COLUMN_NULL, label, column.nullable() ? "NULL" : "NOT NULL");
        steps.add(new SqlStep(
                "column " + label,
                Set.of(shape),
                Set.of(shape, value, nullable),
                ADD_COLUMN.bind(Map.of("table", table.in(names), "definition", column.definition()))));
        SqlFragment setDefault = column.plainDefault().isEmpty()
                ? SqlFragment.of("DROP DEFAULT")
                : SqlFragment.of("SET DEFAULT ").append(column.defaultValue());
        steps.add(SqlStep.of("default of column " + label, Set.of(value), alter(table, column, setDefault)));
        SqlFragment setNull = column.nullable() ? SqlFragment.of("DROP NOT NULL") : SqlFragment.of("SET NOT NULL");
        steps.add(SqlStep.of("nullability of column " + label, Set.of(nullable), alter(table, column, setNull)));
    }

    /** Long rows that the lean table refuses have room afterwards; a table that is lean on purpose says nothing of it. */
    private SqlStep storage(CompanionTable table) {
        List<SqlFragment> columns = table.columns().stream()
                .map(column -> STORE_COLUMN.bind(Map.of("column", column.name())))
                .toList();
        return SqlStep.of(
                "storage of table " + table.label(),
                Set.of(new Fact(STORAGE, table.label(), "of types")),
                STORE.bind(Map.of("table", table.in(names), "columns", SqlFragment.join(", ", columns))));
    }

    private SqlFragment alter(CompanionTable table, Column column, SqlFragment change) {
        return ALTER_COLUMN.bind(Map.of("table", table.in(names), "column", column.name(), "change", change));
    }

    private SqlFragment element(TablePart.Constraint constraint) {
        return CONSTRAINT_ELEMENT.bind(Map.of("name", constraint.name(), "definition", constraint.in(names)));
    }

    private SqlStep constraint(CompanionTable table, TablePart.Constraint constraint) {
        String label = table.label() + "." + constraint.name().name();
        return SqlStep.of(
                "constraint " + label,
                Set.of(new Fact(CONSTRAINT, label, constraint.in(names).sql().replace("\"", ""))),
                ADD_CONSTRAINT.bind(Map.of("table", table.in(names), "definition", element(constraint))));
    }

    private SqlStep index(CompanionTable table, TablePart.Index index) {
        String label = table.label() + "." + index.name().name();
        SqlFragment drop =
                DROP_INDEX.bind(Map.of("index", table.schema().in(names).dot(index.name())));
        String shape = (index.unique() ? "UNIQUE " : "") + index.definition().sql();
        return SqlStep.of(
                "index " + label,
                Set.of(new Fact(INDEX, label, shape)),
                drop.append("\n").append(createIndex(table, index)));
    }

    private SqlFragment createIndex(CompanionTable table, TablePart.Index index) {
        Map<String, SqlValue> values = Map.of(
                "unique", index.unique() ? SqlFragment.of("UNIQUE ") : SqlFragment.empty(),
                "index", index.name(),
                "table", table.in(names),
                "definition", index.definition());
        return CREATE_INDEX.bind(values);
    }

    private SqlStep rowSecurity(CompanionTable table) {
        Fact fact = new Fact(ROW_SECURITY, table.label(), table.rowSecurity() ? "on" : "off");
        SqlFragment unforced = UNFORCED.bind(Map.of("table", table.in(names)));
        return SqlStep.of(
                "row security of table " + table.label(),
                Set.of(fact),
                rows(table).append("\n").append(unforced));
    }

    private SqlFragment rows(CompanionTable table) {
        SqlFragment onOrOff = table.rowSecurity() ? SqlFragment.of("ENABLE") : SqlFragment.of("DISABLE");
        return ROWS.bind(Map.of("table", table.in(names), "switch", onOrOff));
    }
}
