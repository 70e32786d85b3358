package svc.postgres.flush;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/**
 * One transaction on behalf of a caller of the data plane: settings, one main query, an end.
 *
 * @param access whether the transaction may write; PostgreSQL enforces it
 * @param isolation read committed, unless an adopted database's role asks for more
 * @param settings set for this transaction before the query, the role among them
 * @param before statements that run after the settings and before the query; each gives one row, which is dropped
 * @param query one statement that gives one row, with a question mark for each bind
 * @param binds without a type: PostgreSQL reads each as the place where it stands wants it
 */
public record Flush(
        Access access,
        Isolation isolation,
        List<Setting> settings,
        List<SqlFragment> before,
        SqlFragment query,
        List<String> binds,
        TransactionEnd ending) {
    public Flush {
        settings = List.copyOf(settings);
        before = List.copyOf(before);
        binds = List.copyOf(binds);
    }

    /** Whether it runs as the role of callers that anyone can be; of several settings of the role the last one holds. */
    boolean isAnonymous(Tenant tenant) {
        return role(settings)
                .filter(role -> role.equals(tenant.roleName(DatabaseRole.ANON)))
                .isPresent();
    }

    /** The role that settings ask for. */
    static Optional<String> role(List<Setting> settings) {
        return settings.stream()
                .filter(setting -> setting.name().equals("role"))
                .reduce((first, last) -> last)
                .map(Setting::value);
    }

    /** The same with further settings. */
    Flush with(List<Setting> further) {
        return further.isEmpty()
                ? this
                : new Flush(
                        access,
                        isolation,
                        Stream.concat(settings.stream(), further.stream()).toList(),
                        before,
                        query,
                        binds,
                        ending);
    }

    /** With nothing between the settings and the query. */
    public Flush(Access access, List<Setting> settings, SqlFragment query, List<String> binds, TransactionEnd ending) {
        this(access, settings, List.of(), query, binds, ending);
    }

    /** Read committed. */
    public Flush(
            Access access,
            List<Setting> settings,
            List<SqlFragment> before,
            SqlFragment query,
            List<String> binds,
            TransactionEnd ending) {
        this(access, Isolation.READ_COMMITTED, settings, before, query, binds, ending);
    }
}
