package svc.realtime.filter;

import java.util.Arrays;
import java.util.Optional;
import svc.database.sql.SqlFragment;

/** The operators of Supabase's filters, with PostgreSQL's. */
public enum FilterOperator {
    EQ("eq", SqlFragment.of(" = ")),
    NEQ("neq", SqlFragment.of(" <> ")),
    LT("lt", SqlFragment.of(" < ")),
    LTE("lte", SqlFragment.of(" <= ")),
    GT("gt", SqlFragment.of(" > ")),
    GTE("gte", SqlFragment.of(" >= ")),
    IN("in", SqlFragment.of(" = ANY ")),
    LIKE("like", SqlFragment.of(" OPERATOR(pg_catalog.~~) ")),
    ILIKE("ilike", SqlFragment.of(" OPERATOR(pg_catalog.~~*) ")),
    IS("is", SqlFragment.of(" IS ")),
    MATCH("match", SqlFragment.of(" OPERATOR(pg_catalog.~) ")),
    IMATCH("imatch", SqlFragment.of(" OPERATOR(pg_catalog.~*) ")),
    ISDISTINCT("isdistinct", SqlFragment.of(" IS DISTINCT FROM "));

    private final String name;
    private final SqlFragment sql;

    FilterOperator(String name, SqlFragment sql) {
        this.name = name;
        this.sql = sql;
    }

    static Optional<FilterOperator> of(String name) {
        return Arrays.stream(values())
                .filter(operator -> operator.name.equals(name))
                .findFirst();
    }

    /** Between the two operands. */
    public SqlFragment sql() {
        return sql;
    }

    /** Whether the operands are texts, whatever the column's type. */
    public boolean comparesTexts() {
        return this == LIKE || this == ILIKE || this == MATCH || this == IMATCH;
    }
}
