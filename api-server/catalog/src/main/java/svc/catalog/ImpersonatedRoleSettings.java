package svc.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/**
 * The settings of a role by {@code ALTER ROLE … SET}. PostgreSQL applies them at login and not at SET ROLE, so that each
 * transaction of the role sets them itself, like PostgREST's impersonated role settings.
 *
 * @param settings in the order of the catalog
 */
public record ImpersonatedRoleSettings(List<Setting> settings, Isolation isolation) {
    /** Of a role without settings. */
    public static final ImpersonatedRoleSettings NONE =
            new ImpersonatedRoleSettings(List.of(), Isolation.READ_COMMITTED);

    private static final String ISOLATION = "default_transaction_isolation";

    /** The role comes from the token, the encoding from the wire protocol, the transaction's mode from BEGIN. */
    private static final Set<String> EXCLUDED = Set.of(
            "role",
            "session_authorization",
            "client_encoding",
            "transaction_isolation",
            "transaction_read_only",
            "transaction_deferrable");

    /** Each request sends them, and an adopted server is not trusted. */
    private static final int MAX_SETTINGS = 50;

    private static final int MAX_LENGTH = 1000;

    public ImpersonatedRoleSettings {
        settings = List.copyOf(settings);
    }

    /** @param texts {@code name=value}, as in {@code pg_roles.rolconfig}; invalid or too long ones are ignored */
    static ImpersonatedRoleSettings of(List<String> texts) {
        List<Setting> settings = new ArrayList<>();
        Isolation isolation = Isolation.READ_COMMITTED;
        for (String text : texts) {
            int end = text.indexOf('=');
            if (end < 1 || text.length() > MAX_LENGTH || settings.size() == MAX_SETTINGS) {
                continue;
            }
            String name = text.substring(0, end);
            String value = text.substring(end + 1);
            if (name.equals(ISOLATION)) {
                isolation = Isolation.ofSetting(value).orElse(isolation);
            } else if (!EXCLUDED.contains(name.toLowerCase(Locale.ROOT))) {
                settings.add(new Setting(name, value));
            }
        }
        return new ImpersonatedRoleSettings(settings, isolation);
    }
}
