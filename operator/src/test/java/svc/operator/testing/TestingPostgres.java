package svc.operator.testing;

import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.database.DatabaseBootstraps;
import svc.operator.database.DatabaseLogin;
import svc.operator.database.SharedDatabases;

/** Databases for tests, copied from one that was prepared once: preparing takes seconds, a copy tenths of one. */
public final class TestingPostgres {
    /** The same in all tests: the platform's logins belong to the whole server. */
    public static final byte[] MASTER_KEY = new byte[32];

    private TestingPostgres() {}

    public static EmbeddedPostgres server() {
        return EmbeddedPostgres.shared();
    }

    public static MasterKeys masterKeys() {
        return MasterKeys.of(List.of(MasterKey.of(1, MASTER_KEY)));
    }

    public static String masterKeyText() {
        return Base64.getEncoder().encodeToString(MASTER_KEY);
    }

    /** A prepared database of its own. */
    public static String database() {
        return server().createDatabase("op", Prepared.TEMPLATE);
    }

    /** Renames a database and terminates its sessions: its users find it missing. */
    public static void rename(String from, String to) {
        String sessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + from + "'";
        String rename = "ALTER DATABASE " + from + " RENAME TO " + to;
        Awaitility.await(rename).atMost(TestingOperator.LIMIT).until(() -> {
            try (var connection = server().connect("postgres");
                    var statement = connection.createStatement()) {
                statement.execute(sessions);
                statement.execute(rename);
                return true;
            } catch (SQLException e) {
                // 55006: another session connected in between.
                if ("55006".equals(e.getSQLState())) {
                    return false;
                }
                throw e;
            }
        });
    }

    private static final class Prepared {
        private static final String TEMPLATE = prepare();
    }

    // Not in the class below: the pool's threads would wait for its initialisation, which waits for them.
    private static String prepare() {
        String name = server().createDatabase("prepared");
        var login = new DatabaseLogin(
                "main", server().jdbcUrl(name), EmbeddedPostgres.OPERATOR, () -> server().operatorPassword(), 2);
        var preparations = new DatabaseBootstraps(List.of(login), "main", masterKeys());
        try (var databases = new SharedDatabases(List.of(login), "main", preparations::of, observation -> {});
                var connection = databases.platform().getConnection()) {
            connection.isValid(1);
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing the template database", e);
        }
        return name;
    }
}
