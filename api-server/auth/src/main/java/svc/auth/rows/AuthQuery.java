package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.flush.Flush;
import svc.postgres.flush.TransactionEnd;

/**
 * One statement that is a transaction by itself, and so one network write. Its result is one row of one column, JSON or
 * null.
 *
 * @param binds none is null
 * @param mapping of the result that is not null
 */
public record AuthQuery<T>(Access access, SqlFragment statement, List<String> binds, Function<JsonNode, T> mapping) {
    public AuthQuery {
        binds = List.copyOf(binds);
    }

    Flush flush(Tenant tenant) {
        return new Flush(access, AuthSession.settings(tenant), statement, binds, new TransactionEnd.Commit());
    }
}
