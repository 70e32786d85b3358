package svc.sqlgate.translation;

import svc.database.sql.SqlFragment;
import svc.platform.problem.ProblemCode;

/** How one statement is rewritten before it is sent to the server. */
public sealed interface Rewrite {
    /** It is sent as it stands, if the rules of the gate allow it. */
    record AsIs() implements Rewrite {}

    /**
     * A no-op, because its effect is in place already: left out.
     *
     * @param tag PostgreSQL's command tag of it
     */
    record Nothing(String tag) implements Rewrite {}

    /**
     * Something else is sent, one statement that returns no rows.
     *
     * @param tag PostgreSQL's command tag of what the caller wrote
     */
    record Instead(SqlFragment sql, String tag) implements Rewrite {}

    /**
     * @param what names it, as the end of a sentence
     * @param hint what to do instead
     */
    record Refused(ProblemCode code, String what, String hint) implements Rewrite {}

    static Rewrite asIs() {
        return new AsIs();
    }

    static Rewrite refused(String what, String hint) {
        return new Refused(ProblemCode.SQL_FORBIDDEN_STATEMENT, what, hint);
    }
}
