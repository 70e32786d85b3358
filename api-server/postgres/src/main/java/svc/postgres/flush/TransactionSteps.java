package svc.postgres.flush;

import java.util.List;
import svc.database.sql.SqlFragment;
import svc.postgres.Setting;

/** An open transaction on behalf of a caller: several main queries, each with its own settings, one after the other. */
public interface TransactionSteps {
    /**
     * Runs one main query in one network write and returns its row.
     *
     * @param settings set for what is left of this transaction before the query, the role among them
     * @param before statements between the settings and the query; each gives one row, which is dropped
     * @throws SqlError what PostgreSQL answered instead; nothing can be run in this transaction any more
     */
    FlushRow run(List<Setting> settings, List<SqlFragment> before, SqlFragment query, List<String> binds);

    /**
     * The result of a transaction.
     *
     * @param committed whether it is to be committed; otherwise it is rolled back
     */
    record Outcome<T>(T value, boolean committed) {}

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Work<T> {
        Outcome<T> in(TransactionSteps steps);
    }
}
