package svc.database.key;

import java.util.Optional;
import svc.database.name.DatabaseRole;

/** What a derived secret is for. Who holds the root of one purpose can compute nothing of another. */
public enum Purpose {
    OWNER("owner", DatabaseRole.OWNER),
    API("api", DatabaseRole.API),
    SERVICE("service", DatabaseRole.SERVICE),
    SYSTEM("system", DatabaseRole.SYSTEM),
    /** The public key of a project's applications, {@code svc_anon_…}. */
    ANON_KEY("anon-key"),
    /** The service-role key, {@code svc_service_…}. */
    SERVICE_KEY("service-key"),
    /** The ES256 keys that sign users' tokens. */
    SIGNING("signing"),
    /** Secrets that a project was given, as its status carries them: {@link SealedText}. */
    SEALED("sealed"),
    /** What a project's functions show the platform: {@link RuntimeToken}; and digests of their secrets. */
    FUNCTION_RUNTIME("function-runtime"),
    /** What PostgreSQL seals the secrets of a project's vault under: {@link VaultKey}. */
    VAULT("vault"),
    /** Password of the login that reads the log of a project's own database. */
    REPLICATION("replication"),
    /** Password of the platform login {@code svc_operator}. */
    LOGIN_OPERATOR("login-svc-operator"),
    /** Password of the platform login {@code svc_catalog}. */
    LOGIN_CATALOG("login-svc-catalog"),
    /** Password of the platform login {@code svc_replication}. */
    LOGIN_REPLICATION("login-svc-replication"),
    /** Password of the platform login {@code svc_platform}. */
    LOGIN_PLATFORM("login-svc-platform"),
    /** Password of the platform login {@code svc_extensions}. */
    LOGIN_EXTENSIONS("login-svc-extensions"),
    /** Name of the notification channel, which must not be guessable: LISTEN cannot be forbidden. */
    CHANNEL("channel");

    private final String label;
    private final DatabaseRole role;

    Purpose(String label) {
        this(label, null);
    }

    Purpose(String label, DatabaseRole role) {
        this.label = label;
        this.role = role;
    }

    /** The login of a project whose password this purpose derives. */
    public Optional<DatabaseRole> role() {
        return Optional.ofNullable(role);
    }

    /** Whether leaves belong to the platform as a whole rather than to one project. */
    public boolean ofPlatform() {
        return ordinal() >= LOGIN_OPERATOR.ordinal();
    }

    /** The purpose of a project login's password; empty for a role that cannot log in. */
    public static Optional<Purpose> ofLogin(DatabaseRole role) {
        for (Purpose purpose : values()) {
            if (purpose.role == role) {
                return Optional.of(purpose);
            }
        }
        return Optional.empty();
    }

    /** Part of every derivation; never changes, whatever the constant is called. */
    String label() {
        return label;
    }

    static Optional<Purpose> ofLabel(String label) {
        for (Purpose purpose : values()) {
            if (purpose.label.equals(label)) {
                return Optional.of(purpose);
            }
        }
        return Optional.empty();
    }
}
