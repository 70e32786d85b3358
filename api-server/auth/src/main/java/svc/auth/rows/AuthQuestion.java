package svc.auth.rows;

import java.util.List;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.flush.Flush;
import svc.postgres.flush.TransactionEnd;

/**
 * One statement that is a transaction by itself, and so one network write. It gives one row of one column, JSON or null.
 *
 * @param binds none is null
 */
public record AuthQuestion(Access access, SqlFragment statement, List<String> binds) {
    public AuthQuestion {
        binds = List.copyOf(binds);
    }

    public Flush flush(Tenant tenant) {
        return new Flush(access, AuthRows.settings(tenant), statement, binds, new TransactionEnd.Commit());
    }
}
