package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import svc.embedded.postgres.EmbeddedPostgres;

/**
 * The server of these tests: one of their own, because hardening one database closes the server's others. The database
 * {@link #DATABASE} is hardened and holds two projects.
 */
public final class HardenedServer {
    public static final String CHANNEL = "svc_kq3v7m2p9x";
    public static final EmbeddedPostgres SERVER = EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
    public static final String DATABASE = SERVER.createDatabase("shared");
    public static final HardeningSettings SETTINGS = HardeningSettings.of(
            CHANNEL,
            Map.of(
                    "svc_catalog", verifier("catalog"),
                    "svc_replication", verifier("replication"),
                    "svc_platform", verifier("platform"),
                    "svc_extensions", verifier("extensions")));
    public static final Tenant A;
    public static final Tenant B;

    static {
        try {
            harden(DATABASE);
            A = Tenant.create(SERVER, DATABASE);
            B = Tenant.create(SERVER, DATABASE);
            plantCanaries(A);
            plantCanaries(B);
        } catch (SQLException failure) {
            throw new IllegalStateException("while preparing the hardened database", failure);
        }
    }

    private HardenedServer() {}

    public static HardeningReport harden(String database) throws SQLException {
        try (Connection superuser = SERVER.connect(database)) {
            return new SharedDatabaseHardening().apply(superuser, SETTINGS);
        }
    }

    /** For databases of other tests on this server, which must stay open. */
    public static HardeningReport harden(String database, Set<String> others) throws SQLException {
        try (Connection superuser = SERVER.connect(database)) {
            return new SharedDatabaseHardening()
                    .apply(
                            superuser,
                            new HardeningSettings(CHANNEL, SETTINGS.verifiers(), others, java.util.Optional.empty()));
        }
    }

    /** One more project in the hardened database. */
    public static Tenant newTenant() throws SQLException {
        return Tenant.create(SERVER, DATABASE);
    }

    /** A project in a hardened database of another server. */
    public static Tenant newTenant(EmbeddedPostgres server, String database) throws SQLException {
        return Tenant.create(server, database);
    }

    public static Connection superuser() throws SQLException {
        return SERVER.connect(DATABASE);
    }

    /** Secrets in every place of the catalog that could carry one, each beginning with {@code canary}; and 7919 rows. */
    private static void plantCanaries(Tenant tenant) throws SQLException {
        try (Connection owner = tenant.owner();
                Connection system = tenant.login("system")) {
            Sql.run(owner, tenant.text("canary.sql"));
            Sql.run(system, tenant.fill("INSERT INTO $S_auth.users (email) VALUES ('canary-$S@example.org')"));
        }
    }

    private static String verifier(String password) {
        byte[] salt = "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return org.postgresql.util.PasswordUtil.encodeScramSha256(password.toCharArray(), 4096, salt);
    }
}
