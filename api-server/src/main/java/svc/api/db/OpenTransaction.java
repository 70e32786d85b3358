package svc.api.db;

import java.sql.SQLException;
import java.util.List;
import svc.database.sql.SqlFragment;

/** The steps of one transaction on one connection. The first of them begins it. */
final class OpenTransaction implements TransactionSteps {
    private final FlushConnection connection;
    private final Flush.Access access;
    private boolean begun;

    OpenTransaction(FlushConnection connection, Flush.Access access) {
        this.connection = connection;
        this.access = access;
    }

    @Override
    public FlushRow run(List<Setting> settings, List<SqlFragment> before, SqlFragment query, List<String> binds) {
        SqlFragment text = begun
                ? FlushText.next(settings.size(), before, query)
                : FlushText.opening(access, settings.size(), before, query);
        var result = new FlushResult(FlushText.mainQuery(!begun, before));
        begun = true;
        try {
            connection.send(text, settings, binds, result);
            return result.onlyRow();
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }
}
