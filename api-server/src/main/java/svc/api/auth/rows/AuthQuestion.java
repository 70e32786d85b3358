package svc.api.auth.rows;

import java.util.List;
import svc.api.db.Ending;
import svc.api.db.Flush;
import svc.api.tenancy.Tenant;
import svc.database.sql.SqlFragment;

/**
 * One statement that is a transaction by itself, and so one network write. It gives one row of one column, JSON or null.
 *
 * @param binds none is null
 */
public record AuthQuestion(Flush.Access access, SqlFragment statement, List<String> binds) {
    public AuthQuestion {
        binds = List.copyOf(binds);
    }

    public Flush flush(Tenant tenant) {
        return new Flush(access, AuthRows.settings(tenant), statement, binds, new Ending.Commit());
    }
}
