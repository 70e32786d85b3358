package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;
import svc.database.key.ChannelName;
import svc.database.key.DerivedKey;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKeys;
import svc.database.key.Purpose;
import svc.database.platform.PlatformSchema;
import svc.database.shared.AllowedExtensions;
import svc.database.shared.HardeningReport;
import svc.database.shared.HardeningSettings;
import svc.database.shared.SharedDatabaseHardening;

/** The bootstrap of each configured database: hardening, and the migrations of the platform schema where it lives. */
public final class DatabaseBootstraps {
    private static final Logger LOG = Logger.getLogger(DatabaseBootstraps.class);

    /** Version of the platform's own login keys and channel. They are rotated together with the master key. */
    private static final int KEY_VERSION = 1;

    private final List<DatabaseLogin> logins;
    private final String platformName;
    private final String channel;
    private final Map<String, String> verifiers;
    private final Set<String> extensions;

    /** Each warning is logged once. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    public DatabaseBootstraps(List<DatabaseLogin> logins, String platformName, MasterKeys masterKeys) {
        this(logins, platformName, masterKeys, Set.of());
    }

    /**
     * @param extensions further ones, installed where the server has their files
     * @throws IllegalStateException for an extension that is not optional
     */
    public DatabaseBootstraps(
            List<DatabaseLogin> logins, String platformName, MasterKeys masterKeys, Set<String> extensions) {
        if (!AllowedExtensions.optional().containsAll(extensions)) {
            throw new IllegalStateException("svc.operator.extensions is " + extensions + ": it may name "
                    + String.join(", ", AllowedExtensions.optional()) + " only");
        }
        this.extensions = Set.copyOf(extensions);
        this.logins = List.copyOf(logins);
        this.platformName = platformName;
        this.channel = ChannelName.of(leaf(masterKeys, Purpose.CHANNEL));
        this.verifiers = Map.of(
                "svc_catalog", verifier(masterKeys, Purpose.LOGIN_CATALOG),
                "svc_replication", verifier(masterKeys, Purpose.LOGIN_REPLICATION),
                "svc_platform", verifier(masterKeys, Purpose.LOGIN_PLATFORM),
                "svc_extensions", verifier(masterKeys, Purpose.LOGIN_EXTENSIONS));
    }

    public DatabaseBootstrap of(DatabaseLogin login) {
        HardeningSettings settings = settings(login);
        DatabaseBootstrap hardening = database -> harden(login.name(), database, settings);
        // The order matters: the platform schema grants rights to logins that the hardening creates.
        return login.name().equals(platformName) ? hardening.then(DatabaseBootstraps::migrate) : hardening;
    }

    private HardeningSettings settings(DatabaseLogin login) {
        List<DatabaseAddress> beside = logins.stream()
                .map(DatabaseLogin::address)
                .filter(login.address()::isBeside)
                .toList();
        Optional<String> platform = logins.stream()
                .filter(other -> other.name().equals(platformName))
                .map(DatabaseLogin::address)
                .filter(beside::contains)
                .map(DatabaseAddress::databaseName)
                .findFirst();
        var others = beside.stream()
                .map(DatabaseAddress::databaseName)
                .filter(name -> !name.equals(login.address().databaseName()))
                .collect(Collectors.toSet());
        return new HardeningSettings(channel, verifiers, others, platform, extensions);
    }

    private int harden(String name, DataSource database, HardeningSettings settings) throws SQLException {
        try (Connection connection = database.getConnection()) {
            HardeningReport report = new SharedDatabaseHardening().apply(connection, settings);
            for (String warning : report.warnings()) {
                if (warned.add(name + warning)) {
                    LOG.warnf("database %s: %s", name, warning);
                }
            }
            return report.changes().size();
        }
    }

    /** Turns Flyway's exceptions into an SQLException, as every other database failure. */
    private static int migrate(DataSource database) throws SQLException {
        try {
            return PlatformSchema.migrate(database);
        } catch (FlywayException e) {
            throw new SQLException(
                    "while migrating the platform schema", SqlStates.of(e).orElse("58000"), e);
        }
    }

    private static String verifier(MasterKeys masterKeys, Purpose purpose) {
        return LoginSecret.of(leaf(masterKeys, purpose)).scramVerifier();
    }

    private static DerivedKey leaf(MasterKeys masterKeys, Purpose purpose) {
        return masterKeys.newest().root(purpose).platformLeaf(KEY_VERSION);
    }
}
