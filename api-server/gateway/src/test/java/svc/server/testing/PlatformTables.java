package svc.server.testing;

import java.sql.Connection;
import java.sql.SQLException;
import org.eclipse.microprofile.config.ConfigProvider;
import svc.embedded.postgres.EmbeddedPostgres;

/** The platform's own database, as the server's superuser, who may change what the control plane's login may not. */
public final class PlatformTables {
    private PlatformTables() {}

    /** The database's name. */
    public static String database() {
        String url = ConfigProvider.getConfig().getValue("svc.api.platform.url", String.class);
        return url.substring(url.lastIndexOf('/') + 1).split("\\?", 2)[0];
    }

    /** A connection, which the caller closes. */
    public static Connection connect() throws SQLException {
        return EmbeddedPostgres.shared().connect(database());
    }

    public static void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
