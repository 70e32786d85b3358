package svc.auth.rows;

import java.util.List;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.flush.Ending;
import svc.postgres.flush.Flush;

/**
 * One statement that is a transaction by itself, and so one network write. It gives one row of one column, JSON or null.
 *
 * @param binds none is null
 */
public record AuthQuery(Access access, SqlFragment statement, List<String> binds) {
    public AuthQuery {
        binds = List.copyOf(binds);
    }

    public Flush flush(Tenant tenant) {
        return new Flush(access, AuthSession.settings(tenant), statement, binds, new Ending.Commit());
    }
}
