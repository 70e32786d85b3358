package svc.management.branch;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.management.branch.BranchTable.Document;
import svc.management.query.OwnerCopies;
import svc.management.query.OwnerReads;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;

/**
 * Copies the rows of {@code public} from a project to a branch that has the same tables: read in one statement, so at one moment,
 * and written in one transaction with the triggers off. Users that rows refer to come along without their passwords. Bounded by
 * the size of an answer: 8 MB as JSON, 10,000 tables.
 */
@ApplicationScoped
class BranchRows {
    private static final SqlTemplate TABLES = SqlTemplate.resource(BranchRows.class, "tables.sql");

    /**
     * Values as the server writes them, which its types read again to the same: JSON has no bounds of arrays, and one null alone.
     */
    private static final SqlTemplate ROWS =
            SqlTemplate.of("SELECT :'id', coalesce(json_agg(row_to_json(svc_row.*)), '[]')::text"
                    + " FROM (SELECT :{values} FROM :{only} :\"schema\".:\"table\" AS svc_row) AS svc_row");

    private static final SqlTemplate VALUE = SqlTemplate.of("svc_row.:\"column\"::text AS :\"column\"");
    private static final SqlTemplate DOCUMENT = SqlTemplate.of("svc_row.:\"column\"");
    private static final SqlTemplate POSITION =
            SqlTemplate.of("SELECT :'id', json_build_array(last_value, is_called)::text FROM :\"schema\".:\"table\"");
    private static final SqlTemplate USERS = SqlTemplate.of(
            "SELECT 'users', coalesce(json_agg(json_build_object('id', u.id, 'email', u.email,"
                    + " 'raw_app_meta_data', u.raw_app_meta_data, 'raw_user_meta_data', u.raw_user_meta_data,"
                    + " 'created_at', u.created_at, 'updated_at', u.updated_at)), '[]')::text FROM :\"auth\".users AS u");

    /** PostgreSQL checks foreign keys at the end of a statement, so tables of one statement may refer to each other in a circle. */
    private static final SqlTemplate INSERTS = SqlTemplate.of("WITH :{inserts} SELECT 1;\n");

    private static final SqlTemplate INSERT =
            SqlTemplate.of(":\"name\" AS (INSERT INTO :\"schema\".:\"table\" (:{columns}) OVERRIDING SYSTEM VALUE"
                    + " SELECT :{values} FROM jsonb_array_elements(:'rows') AS svc_line (value) CROSS JOIN LATERAL"
                    + " jsonb_populate_record(CAST(NULL AS :\"schema\".:\"table\"), svc_line.value - :{documents})"
                    + " AS svc_row)");
    private static final SqlTemplate NAMES = SqlTemplate.of("CAST(ARRAY[:{names}] AS text[])");
    private static final SqlTemplate JSON = SqlTemplate.of("CAST(svc_line.value ->> :'column' AS json)");
    private static final SqlTemplate JSONB = SqlTemplate.of("CAST(svc_line.value ->> :'column' AS jsonb)");
    private static final SqlTemplate INSERT_USERS = SqlTemplate.of(
            "INSERT INTO :\"auth\".users (:{columns}) SELECT :{columns} FROM"
                    + " json_populate_recordset(CAST(NULL AS :\"auth\".users), :'rows') ON CONFLICT (id) DO NOTHING;\n");

    /** Migrations write rows, too. */
    private static final SqlTemplate EMPTIED = SqlTemplate.of("TRUNCATE :{tables};\n");

    private static final SqlTemplate TRIGGER =
            SqlTemplate.of("ALTER TABLE :\"schema\".:\"table\" :{state} TRIGGER :\"trigger\";\n");
    private static final SqlTemplate USER_TRIGGER =
            SqlTemplate.of("CALL svc_statements.switch_trigger('users', :'trigger', :'enabled');\n");
    private static final SqlTemplate SET_POSITION = SqlTemplate.of(
            "SELECT setval(CAST(:'sequence' AS regclass), CAST(CAST(:'position' AS json) ->> 0 AS bigint), CAST(CAST(:'position' AS json) ->> 1 AS boolean));\n");

    /** A table whose checks wait for the end of the transaction cannot be altered, so no trigger of it could be switched on. */
    private static final SqlFragment CHECK_AT_ONCE = SqlFragment.of("SET CONSTRAINTS ALL IMMEDIATE;\n");

    private static final SqlFragment ENABLE = SqlFragment.of("ENABLE");
    private static final SqlFragment DISABLE = SqlFragment.of("DISABLE");
    private static final List<Identifier> USER_COLUMNS =
            List.of("id", "email", "raw_app_meta_data", "raw_user_meta_data", "created_at", "updated_at").stream()
                    .map(Identifier::of)
                    .toList();
    private static final String SEQUENCE = "sequence";
    private static final String USERS_ID = "0";
    private static final String EMPTY = "[]";
    private static final Duration TIME = Duration.ofSeconds(30);

    private final OwnerReads reads;
    private final OwnerCopies copies;

    BranchRows(OwnerReads reads, OwnerCopies copies) {
        this.reads = reads;
        this.copies = copies;
    }

    /** @throws svc.platform.problem.ProblemException if there are too many rows, or the branch refuses them */
    void copy(Tenant parent, Tenant branch) {
        List<BranchTable> found = reads
                .read(
                        parent,
                        TABLES.bind(Map.of("schema", Literal.of(parent.names().schemaName()))),
                        TIME)
                .rows()
                .stream()
                .map(BranchTable::of)
                .toList();
        List<BranchTable> sequences =
                found.stream().filter(one -> one.id().equals(SEQUENCE)).toList();
        List<BranchTable> users =
                found.stream().filter(one -> one.id().equals(USERS_ID)).toList();
        List<BranchTable> tables = found.stream()
                .filter(one -> !one.id().equals(SEQUENCE) && !one.id().equals(USERS_ID))
                .filter(one -> !one.columns().isEmpty())
                .toList();
        Set<String> known = tables.stream().map(BranchTable::id).collect(Collectors.toSet());
        boolean withUsers = tables.stream().anyMatch(table -> !known.containsAll(table.refersTo()));
        Map<String, String> rows = rows(parent, tables, sequences, withUsers);

        Identifier schema = branch.names().schema();
        SqlFragment script = SqlFragment.empty();
        if (withUsers && !rows.getOrDefault("users", EMPTY).equals(EMPTY)) {
            Identifier auth = branch.names().auth();
            script = script.append(userTriggers(users, false))
                    .append(INSERT_USERS.bind(Map.of(
                            "auth", auth,
                            "columns", SqlFragment.join(", ", USER_COLUMNS),
                            "rows", Literal.of(rows.get("users")))))
                    .append(userTriggers(users, true));
        }
        if (!tables.isEmpty()) {
            script = script.append(EMPTIED.bind(Map.of(
                    "tables",
                    SqlFragment.join(
                            ", ",
                            tables.stream()
                                    .map(table -> schema.dot(table.name()))
                                    .toList()))));
        }
        List<BranchTable> filled = tables.stream()
                .filter(table -> !rows.getOrDefault(table.id(), EMPTY).equals(EMPTY))
                .toList();
        script = script.append(CHECK_AT_ONCE).append(triggers(schema, filled, DISABLE));
        if (!filled.isEmpty()) {
            List<SqlFragment> inserts = filled.stream()
                    .map(table -> insert(schema, table, rows.get(table.id())))
                    .toList();
            script = script.append(INSERTS.bind(Map.of("inserts", SqlFragment.join(", ", inserts))));
        }
        script = script.append(triggers(schema, filled, ENABLE));
        for (BranchTable sequence : sequences) {
            String position = rows.get(positionOf(sequence));
            if (position != null) {
                script = script.append(SET_POSITION.bind(Map.of(
                        "sequence", Literal.of(schema.dot(sequence.name()).sql()),
                        "position", Literal.of(position))));
            }
        }
        if (!rows.isEmpty()) {
            copies.write(branch, script, withUsers);
        }
    }

    private static String positionOf(BranchTable sequence) {
        return SEQUENCE + " " + sequence.name().name();
    }

    /** By the id of the table. */
    private Map<String, String> rows(
            Tenant parent, List<BranchTable> tables, List<BranchTable> sequences, boolean withUsers) {
        Identifier schema = parent.names().schema();
        List<SqlFragment> selects = new ArrayList<>();
        for (BranchTable table : tables) {
            selects.add(ROWS.bind(Map.of(
                    "id",
                    Literal.of(table.id()),
                    "values",
                    SqlFragment.join(
                            ", ",
                            table.columns().stream()
                                    .map(column -> written(table, column))
                                    .toList()),
                    "only",
                    table.single() ? SqlFragment.of("ONLY") : SqlFragment.empty(),
                    "schema",
                    schema,
                    "table",
                    table.name())));
        }
        for (BranchTable sequence : sequences) {
            selects.add(POSITION.bind(
                    Map.of("id", Literal.of(positionOf(sequence)), "schema", schema, "table", sequence.name())));
        }
        if (withUsers) {
            selects.add(USERS.bind(Map.of("auth", parent.names().auth())));
        }
        if (selects.isEmpty()) {
            return Map.of();
        }
        OwnerReads.Answer answer = reads.read(parent, SqlFragment.join(" UNION ALL ", selects), TIME);
        if (!answer.complete()) {
            throw Problem.of(
                            ProblemCode.SQL_RESULT_TOO_LARGE,
                            "The project has more rows than a branch can begin with: 8 MB as JSON in all.")
                    .withHint("Create the branch without with_data, and send the rows that it needs as seed.")
                    .asException();
        }
        return answer.rows().stream().collect(Collectors.toMap(List::getFirst, row -> row.get(1)));
    }

    /** Users are the platform's: it switches the triggers that the project put on them. */
    private static SqlFragment userTriggers(List<BranchTable> users, boolean enabled) {
        SqlFragment script = SqlFragment.empty();
        for (BranchTable table : users) {
            for (Identifier trigger : table.triggers()) {
                script = script.append(USER_TRIGGER.bind(
                        Map.of("trigger", Literal.of(trigger.name()), "enabled", Literal.of(enabled))));
            }
        }
        return script;
    }

    private static SqlFragment triggers(Identifier schema, List<BranchTable> tables, SqlFragment state) {
        SqlFragment script = SqlFragment.empty();
        for (BranchTable table : tables) {
            for (Identifier trigger : table.triggers()) {
                script = script.append(TRIGGER.bind(Map.of(
                        "schema", schema,
                        "table", table.name(),
                        "state", state,
                        "trigger", trigger)));
            }
        }
        return script;
    }

    private static SqlFragment insert(Identifier schema, BranchTable table, String rows) {
        return INSERT.bind(Map.of(
                "name", Identifier.of("insert_" + table.id()),
                "schema", schema,
                "table", table.name(),
                "columns", SqlFragment.join(", ", table.columns()),
                "values",
                        SqlFragment.join(
                                ", ",
                                table.columns().stream()
                                        .map(column -> read(table, column))
                                        .toList()),
                "documents", exact(table),
                "rows", Literal.of(rows)));
    }

    /** A value of a domain over JSON stays JSON: its text would be a string of it. */
    private static SqlFragment written(BranchTable table, Identifier column) {
        return (table.documents().get(column) == Document.DOMAIN ? DOCUMENT : VALUE).bind(Map.of("column", column));
    }

    private static SqlFragment read(BranchTable table, Identifier column) {
        Map<String, Literal> name = Map.of("column", Literal.of(column.name()));
        return switch (table.documents().get(column)) {
            case JSON -> JSON.bind(name);
            case JSONB -> JSONB.bind(name);
            case DOMAIN -> DOCUMENT.bind(Map.of("column", column));
            case null -> DOCUMENT.bind(Map.of("column", column));
        };
    }

    /** The columns that are read by themselves, as an array. */
    private static SqlFragment exact(BranchTable table) {
        List<Literal> names = table.documents().entrySet().stream()
                .filter(entry -> entry.getValue() != Document.DOMAIN)
                .map(entry -> Literal.of(entry.getKey().name()))
                .toList();
        return NAMES.bind(Map.of("names", SqlFragment.join(", ", names)));
    }
}
