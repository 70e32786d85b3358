package svc.database.shared;

import static java.util.Objects.requireNonNull;

/**
 * One planned change: what the report will say, and the SQL that makes it so.
 *
 * @param sql one or more statements; every name in it was quoted by the server or stands in a resource of ours
 */
record Step(HardeningReport.Change change, String sql) {
    Step {
        requireNonNull(change, "change is null");
        requireNonNull(sql, "sql is null");
    }

    static Step of(String name, String what, String sql) {
        return new Step(new HardeningReport.Change(name, what), sql);
    }

    /** Without the SQL, which may hold a verifier. */
    @Override
    public String toString() {
        return change.toString();
    }
}
