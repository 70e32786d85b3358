package svc.rest.query;

import java.util.List;
import svc.database.sql.SqlFragment;

/**
 * The one statement of a request. Its row has the columns that {@link Result} names.
 *
 * @param binds for its question marks, in order
 */
public record MainQuery(SqlFragment text, List<String> binds) {
    public MainQuery {
        binds = List.copyOf(binds);
    }

    /** Positions in the row of the statement. */
    public static final class Result {
        /** How many rows fulfil the condition; null when that was not asked. */
        public static final int TOTAL = 0;

        /** How many rows are in the answer. */
        public static final int PAGE = 1;

        /** The rendered rows. */
        public static final int BODY = 2;

        /** What a function of the project set {@code response.headers} to, or null. */
        public static final int HEADERS = 3;

        /** What a function of the project set {@code response.status} to, or null. */
        public static final int STATUS = 4;

        /** Of a write: how many rows it touched. */
        public static final int AFFECTED = 5;

        /** Of an insert: how many of the touched rows existed before. */
        public static final int MERGED = 6;

        /** Of an insert: the key of the first row as a JSON object, or null. */
        public static final int KEY = 7;

        private Result() {}
    }
}
