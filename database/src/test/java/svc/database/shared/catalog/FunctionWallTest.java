package svc.database.shared.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.SharedDatabaseHardening;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Rule 4 over the whole of pg_proc, from each of the four logins. */
class FunctionWallTest {
    static final List<String> LOGINS = Tenant.LOGINS;

    private static final Set<String> REFERENCES = Set.of(
            "oid", "oid[]", "oidvector", "internal", "cstring", "xid", "tid", "cid", "pg_node_tree", "refcursor");

    private record Function(
            long oid, String name, List<String> types, boolean executable, String kind, boolean variadic) {
        String signature() {
            return name + "(" + String.join(",", types) + ")";
        }

        boolean takesReference() {
            return types.stream().anyMatch(type -> REFERENCES.contains(type) || type.startsWith("reg"));
        }

        /** Types that have no value a session could write. */
        boolean uncallable() {
            return types.stream()
                    .anyMatch(
                            type -> type.matches(
                                    "internal|any.*|\"any\"|event_trigger|trigger|unknown|void|shell|pg_ddl_command|.*_handler"));
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void exactlyTheListedFunctionsAreExecutable(String login) throws Exception {
        List<String> listed = listed();
        assertThat(listed).doesNotHaveDuplicates();
        Set<String> unused = new HashSet<>(listed);
        for (Function function : functions(login)) {
            boolean allowed = listed.contains(function.signature())
                    || listed.contains(function.name()) && !function.takesReference();
            assertThat(function.executable()).as(function.signature()).isEqualTo(allowed);
            unused.remove(function.signature());
            unused.remove(function.name());
        }
        // Of 16 and 17; 18 has two others in its place.
        assertThat(unused).as("listed, but unknown to PostgreSQL 18").isSubsetOf("pg_timezone_abbrevs");
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void everyOtherFunctionIsRefused(String login) throws Exception {
        int refused = 0;
        try (Connection connection = HardenedServer.A.login(login)) {
            for (Function function : functions(login)) {
                if (function.executable()) {
                    continue;
                }
                String call = callWithNulls(function);
                String state = Sql.state(connection, call);
                if (function.uncallable()) {
                    assertThat(state).as(call).isNotEqualTo("00000");
                } else {
                    // 0A000: the text input of a pseudo-type, whose null PostgreSQL refuses before it asks.
                    assertThat(state).as(call).isIn("42501", function.types().contains("cstring") ? "0A000" : "42501");
                }
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void noAllowedFunctionTellsANeighboursSecret(String login) throws Exception {
        List<String> objects = neighboursObjects();
        List<String> texts = HardenedServer.B
                .schema()
                .lines()
                .flatMap(schema -> List.of(
                        schema + ".secrets",
                        schema + ".secret_function",
                        schema,
                        schema + ".ladder",
                        "SELECT body FROM " + schema + ".secrets",
                        "SELECT",
                        schema + ".secret_sequence")
                        .stream())
                .toList();
        int calls = 0;
        try (Connection connection = HardenedServer.A.login(login)) {
            connection.setAutoCommit(false);
            Sql.run(connection, "SET statement_timeout = '2s'");
            connection.commit();
            List<Function> all = new ArrayList<>(functions(login));
            all.addAll(functions(login, "svc_views"));
            for (Function function : all) {
                boolean named = function.types().stream().anyMatch(type -> type.equals("text") || type.equals("name"));
                if (!function.executable()
                        || function.kind().equals("a")
                        || function.name().startsWith("pg_sleep")
                        || !function.takesReference() && !named) {
                    continue;
                }
                for (String object : function.takesReference() ? objects : List.of("0")) {
                    for (String text : texts) {
                        String call = "SELECT f::text FROM \"" + (function.oid() < 16384 ? "pg_catalog" : "svc_views")
                                + "\".\"" + function.name() + "\"(" + arguments(function, object, text) + ") f";
                        assertThat(answer(connection, call))
                                .as(call)
                                .doesNotContain("canary")
                                // As a number of its own: a hash may well have these digits.
                                .doesNotContainPattern("(?<![0-9])7919(?![0-9])");
                        calls++;
                        if (!named) {
                            break;
                        }
                    }
                }
            }
        }
        assertThat(calls).isGreaterThan(2000);
    }

    /** The nulls come from a row, because the planner folds a strict function of constant nulls without calling it. */
    private static String callWithNulls(Function function) {
        List<String> nulls = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < function.types().size(); i++) {
            nulls.add("NULL::" + function.types().get(i) + " AS a" + i);
            boolean last = i == function.types().size() - 1;
            names.add((function.variadic() && last ? "VARIADIC " : "") + "a" + i);
        }
        return "SELECT pg_catalog.\"" + function.name() + "\"(" + String.join(", ", names) + ") FROM (SELECT "
                + String.join(", ", nulls) + " OFFSET 0) v";
    }

    private static String answer(Connection connection, String call) throws SQLException {
        StringBuilder answer = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(call)) {
            for (int i = 0; rows.next() && i < 50; i++) {
                answer.append(rows.getString(1)).append('\n');
            }
        } catch (SQLException refused) {
            answer.append(refused.getMessage().replaceAll("(?s)\\n +(Where|Position|Hint).*", ""));
        }
        connection.rollback();
        return answer.toString();
    }

    private static String arguments(Function function, String object, String text) {
        List<String> values = new ArrayList<>();
        for (String type : function.types()) {
            values.add(
                    switch (type) {
                        case "text", "name", "cstring" -> "'" + text + "'::" + type;
                        case "smallint", "integer", "bigint" -> "2::" + type;
                        case "boolean" -> "true";
                        case "text[]" -> "ARRAY['" + text + "']";
                        case "json", "jsonb" -> "'[\"string\"]'::" + type;
                        case "\"char\"" -> "'r'::\"char\"";
                        default ->
                            REFERENCES.contains(type) && !type.equals("oid")
                                            || !(type.equals("oid") || type.startsWith("reg"))
                                    ? "NULL::" + type
                                    : object + "::oid::" + type;
                    });
        }
        return String.join(", ", values);
    }

    private static List<String> neighboursObjects() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.column(superuser, HardenedServer.B.fill("""
                    WITH n AS (SELECT oid FROM pg_namespace WHERE nspname = '$S')
                    SELECT oid::text FROM n
                    UNION SELECT c.oid::text FROM pg_class c WHERE relnamespace IN (SELECT oid FROM n)
                    UNION SELECT p.oid::text FROM pg_proc p WHERE pronamespace IN (SELECT oid FROM n)
                    UNION SELECT t.oid::text FROM pg_type t WHERE typnamespace IN (SELECT oid FROM n) AND typname IN ('ladder', 'checked')
                    UNION SELECT oid::text FROM pg_constraint WHERE connamespace IN (SELECT oid FROM n) AND conname IN ('c', 'checked_check')
                    UNION SELECT oid::text FROM pg_trigger WHERE tgrelid = '$S.secrets'::regclass
                    UNION SELECT oid::text FROM pg_rewrite WHERE ev_class = '$S.secret_view'::regclass
                    UNION SELECT oid::text FROM pg_statistic_ext WHERE stxrelid = '$S.secrets'::regclass
                    UNION SELECT oid::text FROM pg_authid WHERE rolname LIKE '$S%'"""));
        }
    }

    private static List<Function> functions(String login) throws Exception {
        return functions(login, "pg_catalog");
    }

    private static List<Function> functions(String login, String schema) throws Exception {
        String sql = """
                SELECT p.oid, p.proname, ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) t),
                       has_function_privilege('%s', p.oid, 'EXECUTE'), p.prokind, p.provariadic <> 0
                FROM pg_proc p WHERE p.pronamespace = '%s'::regnamespace""".formatted(HardenedServer.A.schema() + "_" + login, schema);
        List<Function> functions = new ArrayList<>();
        try (Connection superuser = HardenedServer.superuser();
                Statement statement = superuser.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                functions.add(new Function(
                        rows.getLong(1),
                        rows.getString(2),
                        List.of((String[]) rows.getArray(3).getArray()),
                        rows.getBoolean(4),
                        rows.getString(5),
                        rows.getBoolean(6)));
            }
        }
        return functions;
    }

    private static List<String> listed() throws Exception {
        try (InputStream stream = SharedDatabaseHardening.class.getResourceAsStream("catalog-functions.txt")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
