package svc.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/**
 * What {@code ALTER ROLE … SET} asks for of a role that callers become. PostgreSQL applies it to who logs in as that role and
 * not to who becomes it, so it is set in each of their transactions, as PostgREST does (its impersonated role settings).
 *
 * @param settings by their names, in the order of the catalog
 */
public record RoleSettings(List<Setting> settings, Isolation isolation) {
    /** Of a role with none. */
    public static final RoleSettings NONE = new RoleSettings(List.of(), Isolation.READ_COMMITTED);

    private static final String ISOLATION = "default_transaction_isolation";

    /** The role is the token's, the encoding that of our end of the wire, and BEGIN says what the transaction is. */
    private static final Set<String> OURS = Set.of(
            "role",
            "session_authorization",
            "client_encoding",
            "transaction_isolation",
            "transaction_read_only",
            "transaction_deferrable");

    /** Each request carries them, and the server that sends them is anybody's. */
    private static final int MOST = 50;

    private static final int LONGEST = 1000;

    public RoleSettings {
        settings = List.copyOf(settings);
    }

    /** @param texts {@code name=value}, as {@code pg_roles.rolconfig} has them; what is none, or too long, is left out */
    static RoleSettings of(List<String> texts) {
        List<Setting> settings = new ArrayList<>();
        Isolation isolation = Isolation.READ_COMMITTED;
        for (String text : texts) {
            int end = text.indexOf('=');
            if (end < 1 || text.length() > LONGEST || settings.size() == MOST) {
                continue;
            }
            String name = text.substring(0, end);
            String value = text.substring(end + 1);
            if (name.equals(ISOLATION)) {
                isolation = Isolation.ofSetting(value).orElse(isolation);
            } else if (!OURS.contains(name.toLowerCase(Locale.ROOT))) {
                settings.add(new Setting(name, value));
            }
        }
        return new RoleSettings(settings, isolation);
    }
}
