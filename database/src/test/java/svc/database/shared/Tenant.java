package svc.database.shared;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import svc.database.name.ProjectNames;
import svc.embedded.postgres.EmbeddedPostgres;

/** One project in a hardened database, with the layout of DESIGN section 4, and its four logins. */
public record Tenant(EmbeddedPostgres server, String database, String schema, String password) {
    /** The levels of right that log in. */
    public static final List<String> LOGINS = List.of("owner", "api", "service", "system");

    static Tenant create(EmbeddedPostgres server, String database) throws SQLException {
        String schema = ProjectNames.shared(UUID.randomUUID()).schemaName();
        Tenant tenant = new Tenant(server, database, schema, "pw-" + schema);
        try (Connection superuser = server.connect(database)) {
            Sql.run(superuser, tenant.text("tenant.sql"));
        }
        return tenant;
    }

    /** A new connection of one of the four logins. */
    public Connection login(String level) throws SQLException {
        return server.connect(database, schema + "_" + level, password);
    }

    public Connection owner() throws SQLException {
        return login("owner");
    }

    /** A script of the test resources with this project's names in it. */
    public String text(String resource) {
        try (InputStream stream = Tenant.class.getResourceAsStream(resource)) {
            return fill(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** {@code $S} becomes the schema, {@code $P} the password. */
    public String fill(String sql) {
        return sql.replace("$S", schema).replace("$P", password);
    }
}
