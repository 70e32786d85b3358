package svc.database.project.companion;

import svc.database.sql.SqlFragment;

/** What can be granted on a companion's relation, in PostgreSQL's words. */
public enum Privilege {
    SELECT(SqlFragment.of("SELECT")),
    INSERT(SqlFragment.of("INSERT")),
    UPDATE(SqlFragment.of("UPDATE")),
    DELETE(SqlFragment.of("DELETE")),
    REFERENCES(SqlFragment.of("REFERENCES")),
    TRIGGER(SqlFragment.of("TRIGGER"));

    private final SqlFragment sql;

    Privilege(SqlFragment sql) {
        this.sql = sql;
    }

    public SqlFragment sql() {
        return sql;
    }
}
