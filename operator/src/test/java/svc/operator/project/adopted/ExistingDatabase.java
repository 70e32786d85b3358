package svc.operator.project.adopted;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import svc.operator.testing.TestingPostgres;

/** A database as PostgREST's users have it: an authenticator that may become its roles, a table, nothing of ours. */
final class ExistingDatabase {
    static final String PASSWORD = "authenticators-own-password";

    private final String name = TestingPostgres.server().createDatabase("existing");

    // Roles belong to the server that all tests share.
    private final String suffix = UUID.randomUUID().toString().substring(0, 8);

    ExistingDatabase() {
        sql("""
                CREATE ROLE anon_%1$s NOLOGIN;
                CREATE ROLE stranger_%1$s NOLOGIN;
                CREATE ROLE authenticator_%1$s LOGIN NOINHERIT PASSWORD '%2$s';
                CREATE ROLE migrator_%1$s LOGIN PASSWORD '%2$s';
                CREATE ROLE mighty_%1$s LOGIN SUPERUSER PASSWORD '%2$s';
                CREATE ROLE disguised_%1$s LOGIN SUPERUSER PASSWORD '%2$s';
                ALTER ROLE disguised_%1$s SET role = 'anon_%1$s';
                CREATE ROLE member_%1$s LOGIN NOINHERIT PASSWORD '%2$s';
                GRANT mighty_%1$s TO member_%1$s;
                CREATE ROLE between_%1$s NOLOGIN;
                GRANT mighty_%1$s TO between_%1$s WITH INHERIT FALSE, SET TRUE;
                CREATE ROLE remote_%1$s LOGIN PASSWORD '%2$s';
                GRANT between_%1$s TO remote_%1$s WITH INHERIT FALSE, SET TRUE;
                CREATE ROLE heir_%1$s LOGIN PASSWORD '%2$s';
                GRANT mighty_%1$s TO heir_%1$s WITH INHERIT TRUE, SET FALSE;
                CREATE ROLE program_%1$s LOGIN PASSWORD '%2$s';
                GRANT pg_execute_server_program TO program_%1$s;
                CREATE ROLE reader_%1$s LOGIN PASSWORD '%2$s';
                GRANT pg_read_server_files TO between_%1$s;
                GRANT between_%1$s TO reader_%1$s;
                CREATE ROLE bypassing_%1$s LOGIN BYPASSRLS PASSWORD '%2$s';
                CREATE ROLE replicating_%1$s LOGIN REPLICATION PASSWORD '%2$s';
                CREATE ROLE creating_%1$s LOGIN CREATEROLE PASSWORD '%2$s';
                GRANT anon_%1$s TO authenticator_%1$s, member_%1$s, remote_%1$s, heir_%1$s, program_%1$s, reader_%1$s,
                    bypassing_%1$s, replicating_%1$s, creating_%1$s;
                GRANT CREATE ON SCHEMA public TO migrator_%1$s;
                CREATE TABLE public.things (id int PRIMARY KEY);
                -- The hardening of a shared database closes the other databases of its server to PUBLIC.
                GRANT CONNECT ON DATABASE %3$s TO authenticator_%1$s, migrator_%1$s, member_%1$s, remote_%1$s,
                    heir_%1$s, program_%1$s, reader_%1$s, bypassing_%1$s, replicating_%1$s, creating_%1$s;
                """.formatted(suffix, PASSWORD, name));
    }

    String role(String role) {
        return role + "_" + suffix;
    }

    Map<String, String> secret(String login) {
        String url = TestingPostgres.server().jdbcUrl(name);
        String address = url.substring("jdbc:postgresql://".length(), url.lastIndexOf('/'));
        var data = new HashMap<String, String>();
        data.put("host", address.split(":")[0]);
        data.put("port", address.split(":")[1]);
        data.put("dbname", name);
        data.put("user", role(login));
        data.put("password", PASSWORD);
        return data;
    }

    void sql(String script) {
        try (Connection connection = TestingPostgres.server().connect(name);
                var statement = connection.createStatement()) {
            statement.execute(script);
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing " + name, e);
        }
    }

    /** All schemas, relations and functions in it. */
    String contents() {
        try (Connection connection = TestingPostgres.server().connect(name);
                var statement = connection.createStatement();
                var row = statement.executeQuery("""
                        SELECT string_agg(x, ',' ORDER BY x) FROM (
                            SELECT nspname::text FROM pg_namespace WHERE nspname !~ '^pg_' UNION ALL
                            SELECT oid::regclass::text FROM pg_class WHERE oid >= 16384 UNION ALL
                            SELECT oid::regprocedure::text FROM pg_proc WHERE oid >= 16384 UNION ALL
                            SELECT evtname::text FROM pg_event_trigger) all_of_it (x)""")) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException("while looking into " + name, e);
        }
    }
}
