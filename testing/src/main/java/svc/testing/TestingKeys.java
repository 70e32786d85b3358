package svc.testing;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import svc.database.key.ChannelName;
import svc.database.key.Incarnation;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;

/**
 * The keys of every test. There is one master key, because the platform's logins ({@code svc_platform}, …) belong to the
 * whole PostgreSQL server: two keys would give one login two passwords, and tests would depend on their order.
 */
public final class TestingKeys {
    /** Version 1 of the master key. */
    private static final byte[] MASTER = "the master key that all tests share".getBytes(StandardCharsets.US_ASCII);

    /** One incarnation for projects that a test lays out itself; the operator makes one each. */
    public static final Incarnation INCARNATION = new Incarnation("ab".repeat(Incarnation.BYTES));

    private TestingKeys() {}

    public static MasterKey master() {
        return MasterKey.of(1, MASTER);
    }

    /** The master key as the setting {@code svc.api.keys.master.1} has it. */
    public static String encoded() {
        return Base64.getEncoder().encodeToString(MASTER);
    }

    /** The secret of a login of the platform: {@code LOGIN_CATALOG}, {@code LOGIN_PLATFORM} and so on. */
    public static LoginSecret platformLogin(Purpose purpose) {
        return LoginSecret.of(master().root(purpose).platformLeaf(1));
    }

    /** The verifiers of the platform's logins, by the login's name, as the hardening of a database sets them. */
    public static Map<String, String> platformVerifiers() {
        return Map.of(
                "svc_catalog", platformLogin(Purpose.LOGIN_CATALOG).scramVerifier(),
                "svc_replication", platformLogin(Purpose.LOGIN_REPLICATION).scramVerifier(),
                "svc_platform", platformLogin(Purpose.LOGIN_PLATFORM).scramVerifier(),
                "svc_extensions", platformLogin(Purpose.LOGIN_EXTENSIONS).scramVerifier());
    }

    /** The secret of a project's login; empty for a role that cannot log in. */
    public static Optional<LoginSecret> login(ProjectKeyScope scope, DatabaseRole role) {
        return Purpose.ofLogin(role)
                .map(purpose -> LoginSecret.of(master().root(purpose).leaf(scope)));
    }

    /** The verifiers of all logins of a project. */
    public static Map<DatabaseRole, String> verifiers(ProjectKeyScope scope) {
        Map<DatabaseRole, String> verifiers = new EnumMap<>(DatabaseRole.class);
        for (DatabaseRole role : DatabaseRole.values()) {
            login(scope, role).ifPresent(login -> verifiers.put(role, login.scramVerifier()));
        }
        return verifiers;
    }

    /** The channel of the schema notifications. */
    public static String channel() {
        return ChannelName.of(master().root(Purpose.CHANNEL).platformLeaf(1));
    }
}
