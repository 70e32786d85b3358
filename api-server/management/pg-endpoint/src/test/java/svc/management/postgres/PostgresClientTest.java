package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import svc.database.name.SupabaseRef;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** The PostgreSQL endpoint from the point of view of pgjdbc. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class PostgresClientTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PostgresEndpoint endpoint;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "wire");
    }

    private Connection connect(String user, String password, String... more) throws SQLException {
        var properties = new Properties();
        properties.put("user", user);
        properties.put("password", password);
        properties.put("sslmode", "disable");
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + endpoint.port() + "/postgres", properties);
    }

    private Connection owner(String... more) throws SQLException {
        return connect("postgres." + project.ref(), TestingPlatform.ADMIN, more);
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    @Test
    void runsStatementsAsTheOwnerWithFamiliarNames() throws SQLException {
        try (Connection connection = owner()) {
            run(connection, "create table public.todos (id int primary key, title text)");
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into public.todos values (?, ?), (?, ?)")) {
                insert.setInt(1, 1);
                insert.setString(2, "ä😀");
                insert.setInt(3, 2);
                insert.setString(4, null);
                assertThat(insert.executeUpdate()).isEqualTo(2);
            }
            try (PreparedStatement select = connection.prepareStatement(
                            "select id, title from public.todos where id = any(?) order by 1");
                    ResultSet rows = ids(connection, select)) {
                assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("int4");
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString("title")).isEqualTo("ä😀");
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString("title")).isNull();
                assertThat(rows.next()).isFalse();
            }
            assertThat(value(connection, "select current_user")).isEqualTo("postgres");
            assertThat(value(connection, "show server_version"))
                    .isEqualTo(connection.getMetaData().getDatabaseProductVersion());
        }
    }

    /** The relations and functions that psql reads for {@code \d public.todos}, and its pattern. */
    @Test
    void tablesAreDescribedToPsqlAndANeighboursAreNot() throws SQLException {
        TestingProject other = TestingProject.create(client, tenants, "described");
        String found =
                "select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
                        + " where c.relname operator(pg_catalog.~) '^(todos)$' collate pg_catalog.default"
                        + " and n.nspname operator(pg_catalog.~) '^(public)$' collate pg_catalog.default";
        String described = "select count(*) || ' ' || count(pg_catalog.pg_get_statisticsobjdef_columns(s.oid))"
                + " from pg_catalog.pg_statistic_ext s where s.stxrelid = '%1$s'";
        String published =
                "select count(*) || ' ' || coalesce(pg_catalog.pg_relation_is_publishable('%1$s')::text, '-')"
                        + " from pg_catalog.pg_publication_namespace";
        String ancestors = "select count(*) from pg_catalog.pg_partition_ancestors('%1$s')";
        try (Connection mine = owner();
                Connection theirs = connect("postgres." + other.ref(), TestingPlatform.ADMIN)) {
            for (Connection connection : List.of(mine, theirs)) {
                run(connection, "create table todos (id int, title text) partition by list (id)");
                run(connection, "create statistics s on id, title from todos");
            }
            String own = value(mine, found);
            assertThat(value(mine, described.formatted(own))).isEqualTo("1 1");
            assertThat(value(mine, published.formatted(own))).isEqualTo("0 true");
            assertThat(value(mine, ancestors.formatted(own))).isEqualTo("1");
            String foreign = value(theirs, found);
            assertThat(foreign).isNotEqualTo(own);
            assertThat(value(mine, described.formatted(foreign))).isEqualTo("0 0");
            assertThat(value(mine, published.formatted(foreign))).isEqualTo("0 -");
            assertThat(value(mine, ancestors.formatted(foreign))).isEqualTo("0");
        }
    }

    private static ResultSet ids(Connection connection, PreparedStatement select) throws SQLException {
        select.setArray(1, connection.createArrayOf("int4", new Integer[] {1, 2}));
        return select.executeQuery();
    }

    @Test
    void valuesAreTheSameInBothFormats() throws SQLException {
        try (Connection connection = owner("prepareThreshold", "1", "binaryTransfer", "true")) {
            try (PreparedStatement select = connection.prepareStatement(
                    "select ?::int, ?::bigint, ?::boolean, ?::text, ?::numeric, ?::timestamptz, ?::uuid, ?::date,"
                            + " decode('00ff', 'hex'), array[1, 2], '{\"a\": 1}'::jsonb, 1.5::float8, ?::smallint")) {
                UUID uuid = UUID.randomUUID();
                OffsetDateTime time = OffsetDateTime.parse("2030-01-31T12:34:56.789Z");
                for (int i = 0; i < 4; i++) {
                    select.setInt(1, i);
                    select.setLong(2, Long.MIN_VALUE);
                    select.setBoolean(3, true);
                    select.setString(4, "a\\b'c");
                    select.setBigDecimal(5, new BigDecimal("-12345.6700"));
                    select.setObject(6, time);
                    select.setObject(7, uuid);
                    select.setObject(8, LocalDate.of(2030, 1, 31));
                    select.setShort(9, (short) -1);
                    try (ResultSet row = select.executeQuery()) {
                        assertThat(row.next()).isTrue();
                        assertThat(row.getInt(1)).isEqualTo(i);
                        assertThat(row.getLong(2)).isEqualTo(Long.MIN_VALUE);
                        assertThat(row.getBoolean(3)).isTrue();
                        assertThat(row.getString(4)).isEqualTo("a\\b'c");
                        assertThat(row.getBigDecimal(5)).isEqualTo(new BigDecimal("-12345.6700"));
                        assertThat(row.getObject(6, OffsetDateTime.class).toInstant())
                                .isEqualTo(time.toInstant());
                        assertThat(row.getObject(7)).isEqualTo(uuid);
                        assertThat(row.getObject(8, LocalDate.class)).isEqualTo(LocalDate.of(2030, 1, 31));
                        assertThat(row.getBytes(9)).containsExactly(0, 255);
                        assertThat((Object[]) row.getArray(10).getArray()).containsExactly(1, 2);
                        assertThat(row.getString(11)).isEqualTo("{\"a\": 1}");
                        assertThat(row.getDouble(12)).isEqualTo(1.5);
                        assertThat(row.getShort(13)).isEqualTo((short) -1);
                    }
                }
            }
        }
    }

    @Test
    void aTransactionOfSeveralMessagesIsAppliedAsAWholeOrNotAtAll() throws SQLException {
        try (Connection connection = owner();
                Connection other = owner()) {
            run(connection, "create table t (id int primary key deferrable initially deferred)");
            connection.setAutoCommit(false);
            run(connection, "insert into t values (1)");
            assertThat(value(connection, "select count(*) from t")).isEqualTo("1");
            assertThat(value(other, "select count(*) from t")).isEqualTo("0");
            connection.rollback();
            assertThat(value(connection, "select count(*) from t")).isEqualTo("0");
            run(connection, "insert into t values (2)");
            connection.commit();
            assertThat(value(other, "select count(*) from t")).isEqualTo("1");
            run(connection, "insert into t values (3)");
            assertThatThrownBy(() -> run(connection, "insert into nothing values (1)"))
                    .hasFieldOrPropertyWithValue("SQLState", "42P01");
            assertThatThrownBy(() -> run(connection, "select 1")).hasFieldOrPropertyWithValue("SQLState", "25P02");
            connection.rollback();
            run(connection, "insert into t values (2)");
            assertThatThrownBy(connection::commit).hasFieldOrPropertyWithValue("SQLState", "23505");
            connection.rollback();
            assertThat(value(other, "select count(*) from t")).isEqualTo("1");
            assertThatThrownBy(() -> run(connection, "set local role anon"))
                    .hasMessageContaining("would end with its message");
        }
    }

    @Test
    void errorsSpeakOfTheClientsOwnNamesAndText() throws SQLException {
        try (Connection connection = owner()) {
            assertThatThrownBy(() -> run(connection, "select *\nfrom public.nothing"))
                    .isInstanceOfSatisfying(PSQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("42P01");
                        assertThat(e.getServerErrorMessage().getMessage())
                                .isEqualTo("relation \"public.nothing\" does not exist");
                        assertThat(e.getServerErrorMessage().getPosition()).isEqualTo(15);
                    });
            assertThatThrownBy(() -> run(connection, "copy t from '/tmp/rows'"))
                    .isInstanceOfSatisfying(PSQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("0A000");
                        assertThat(e.getServerErrorMessage().getHint()).contains("FROM STDIN");
                    });
            assertThatThrownBy(() -> run(connection, "listen x")).hasFieldOrPropertyWithValue("SQLState", "0A000");
            assertThatThrownBy(() -> run(connection, "select * from svc_platform.token"))
                    .hasFieldOrPropertyWithValue("SQLState", "42501");
            assertThatThrownBy(() -> run(connection, "set search_path = auth"))
                    .hasFieldOrPropertyWithValue("SQLState", "42501");
            assertThat(value(connection, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void aFetchSizeGivesAllRowsInTurn() throws SQLException {
        try (Connection connection = owner()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(3);
                try (ResultSet rows = statement.executeQuery("select generate_series(1, 10)")) {
                    int last = 0;
                    while (rows.next()) {
                        assertThat(rows.getInt(1)).isEqualTo(++last);
                    }
                    assertThat(last).isEqualTo(10);
                }
            }
            connection.commit();
        }
    }

    @Test
    void aValueThatIsANameKeepsTheTypeThatTheClientDeclares() throws SQLException {
        try (Connection connection = owner()) {
            String schemas = "select count(*) from pg_namespace where nspname = ?";
            try (PreparedStatement select = connection.prepareStatement(schemas)) {
                select.setString(1, "public");
                try (ResultSet rows = select.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt(1)).isEqualTo(1);
                }
                select.setInt(1, 1);
                // As PostgreSQL has it: there is no name that equals a number.
                assertThatThrownBy(select::executeQuery).hasFieldOrPropertyWithValue("SQLState", "42883");
            }
        }
    }

    @Test
    void rowsThatAreLeftOutAreAnErrorAndNeverMissingSilently() throws SQLException {
        try (Connection connection = owner()) {
            assertThatThrownBy(() -> run(connection, "select generate_series(1, 10001)"))
                    .hasFieldOrPropertyWithValue("SQLState", "54000");
            assertThat(value(connection, "select 1")).isEqualTo("1");
        }
    }

    private JsonNode loginRole(String body) {
        Http.Answer made = api.send("POST", "/v1/projects/" + project.ref() + "/cli/login-role", body);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(made.json().path("ttl_seconds").asInt()).isEqualTo(600);
        return made.json();
    }

    @Test
    void aLoginRoleWorksHereAloneAndEndsWithItsToken() throws Exception {
        Http.Answer token =
                api.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{\"database_query\":true}}");
        Http mine = Http.api(token.json().findValue("token").asText());
        JsonNode role = mine.send("POST", "/v1/projects/" + project.ref() + "/cli/login-role", "{}")
                .json();
        String user = role.path("role").asText();
        String password = role.path("password").asText();
        assertThat(user).isEqualTo("cli_login_postgres");
        assertThat(Http.api(password).send("GET", "/v1/projects").status()).isEqualTo(401);
        TestingProject other = TestingProject.create(client, tenants, "neighbour");
        assertThatThrownBy(() -> connect(user + "." + other.ref(), password))
                .hasFieldOrPropertyWithValue("SQLState", "28P01");
        try (Connection connection = connect(user + "." + project.ref(), password);
                Connection neighbour = connect("postgres." + other.ref(), TestingPlatform.ADMIN)) {
            run(connection, "create table mine (id int)");
            api.send("DELETE", "/v1/tokens/" + token.json().findValue("id").asText());
            assertThatThrownBy(() -> run(connection, "select 1")).hasFieldOrPropertyWithValue("SQLState", "28000");
            assertThat(connection.isValid(1)).isFalse();
            assertThat(value(neighbour, "select 1")).isEqualTo("1");
        }
        assertThatThrownBy(() -> connect(user, password)).hasFieldOrPropertyWithValue("SQLState", "28P01");
    }

    @Test
    void noRoleIsKeptForLoginRoles() {
        String path = "/v1/projects/" + project.ref() + "/cli/login-role";
        Http.Answer deleted = api.send("DELETE", path);
        assertThat(deleted.status()).as(deleted.toString()).isEqualTo(200);
        assertThat(deleted.text()).isEqualTo("{\"message\":\"ok\"}");
        String poor = api.send("POST", "/v1/tokens", "{\"name\":\"poor\"}")
                .json()
                .findValue("token")
                .asText();
        assertThat(Http.api(poor).send("DELETE", path).code()).isEqualTo("pat_database_query_forbidden");
    }

    @Test
    void aReadOnlyRoleChangesNothing() throws SQLException {
        try (Connection owner = owner()) {
            run(owner, "create table t (id int)");
        }
        JsonNode role = loginRole("{\"read_only\": true}");
        try (Connection connection =
                connect(role.path("role").asText(), role.path("password").asText())) {
            assertThat(value(connection, "select count(*) from t")).isEqualTo("0");
            assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
                    .hasFieldOrPropertyWithValue("SQLState", "25006");
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> run(connection, "begin read write; insert into t values (1); commit"))
                    .isInstanceOf(SQLException.class);
            connection.rollback();
            assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
                    .hasFieldOrPropertyWithValue("SQLState", "25006");
            connection.rollback();
        }
        try (Connection reader =
                connect("supabase_read_only_user." + SupabaseRef.of(project.ref()), TestingPlatform.ADMIN)) {
            assertThatThrownBy(() -> run(reader, "insert into t values (1)"))
                    .hasFieldOrPropertyWithValue("SQLState", "25006");
        }
        assertThatThrownBy(() -> connect(
                        "cli_login_postgres." + project.ref(),
                        role.path("password").asText()))
                .hasFieldOrPropertyWithValue("SQLState", "28P01");
    }

    @Test
    void thePoolerSettingsLeadHere() {
        JsonNode entry = api.send("GET", "/v1/projects/" + project.ref() + "/config/database/pooler")
                .json()
                .get(0);
        assertThat(entry.path("db_port").asInt()).isEqualTo(endpoint.port());
        assertThat(entry.path("db_user").asText()).isEqualTo("postgres." + project.ref());
        assertThat(entry.path("connection_string").asText())
                .isEqualTo("postgresql://postgres." + project.ref() + ":[YOUR-PASSWORD]@svc.example:" + endpoint.port()
                        + "/postgres");
    }

    /** Its command line refuses an address whose user does not end in the ref that it was given. */
    @Test
    void thePoolerSettingsHaveTheRefThatSupabasesCommandLineKnows() {
        String token = Http.api(TestingPlatform.ADMIN)
                .send("POST", "/v1/tokens", "{\"name\":\"cli\",\"permissions\":{\"database_query\":true}}")
                .json()
                .get("supabase_cli_token")
                .asText();
        String spelled = SupabaseRef.of(project.ref());
        JsonNode entry = Http.api(token)
                .get("/v1/projects/" + spelled + "/config/database/pooler")
                .json()
                .get(0);
        assertThat(entry.path("identifier").asText()).isEqualTo(spelled);
        assertThat(entry.path("db_user").asText()).isEqualTo("postgres." + spelled);
        assertThat(entry.path("connection_string").asText()).contains("//postgres." + spelled + ":");
        // It decodes the answer by a schema, and takes one without these for none.
        assertThat(entry.path("connectionString")).isEqualTo(entry.path("connection_string"));
        assertThat(entry.path("default_pool_size").isNull()).isTrue();
        assertThat(entry.path("max_client_conn").isInt()).isTrue();
    }

    @Test
    void statementsHereAreNoCallsOfTheSqlEndpoint() throws SQLException {
        try (Connection connection = owner()) {
            for (int i = 0; i < 40; i++) {
                run(connection, "select 1");
            }
            for (int i = 0; i < 30; i++) {
                assertThat(api.send("POST", project.path(), "{\"query\":\"select 1\"}")
                                .status())
                        .isEqualTo(201);
            }
            run(connection, "select 1");
        }
        assertThat(api.send("POST", project.path(), "{\"query\":\"select 1\"}").status())
                .isEqualTo(429);
    }
}
