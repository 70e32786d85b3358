package svc.rest.query;

import java.util.List;
import svc.database.sql.SqlFragment;

/**
 * The main statement of a request. It returns one row with the columns of {@link Result}.
 *
 * @param binds values of its placeholders, in order
 */
public record MainQuery(SqlFragment text, List<String> binds) {
    public MainQuery {
        binds = List.copyOf(binds);
    }

    /** Column positions in the statement's row. */
    public static final class Result {
        /** Number of matching rows; null if not requested. */
        public static final int TOTAL = 0;

        /** Number of rows in the response. */
        public static final int PAGE = 1;

        /** The rendered rows. */
        public static final int BODY = 2;

        /** The setting {@code response.headers}, or null. */
        public static final int HEADERS = 3;

        /** The setting {@code response.status}, or null. */
        public static final int STATUS = 4;

        /** Of a write: number of affected rows. */
        public static final int AFFECTED = 5;

        /** Of an insert: number of affected rows that existed before. */
        public static final int MERGED = 6;

        /** Of an insert: the key of the first row as a JSON object, or null. */
        public static final int KEY = 7;

        private Result() {}
    }
}
