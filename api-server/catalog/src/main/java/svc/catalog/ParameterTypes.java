package svc.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;

/**
 * What decides the types of a statement's parameters, as further columns of its result.
 *
 * <p>The type of a parameter is chosen when its statement is prepared, from the column that it is compared with. After DDL
 * PostgreSQL analyses a prepared statement again, but keeps these types: a value would be read as the column's former type
 * and then be converted, which finds other rows. PostgreSQL does refuse a prepared statement whose result would have other
 * types than before, in the step that binds the values, with all relations locked. So each column that is compared with a
 * parameter has a null of its type in the result. The statement is then prepared again, see the connections of
 * {@code svc.postgres.flush}. The columns are constants, which cost a row four bytes each.
 *
 * <p>Where the text itself names a type of the cached schema, a check in the same place makes a text that is out of date an
 * error of the analysis, {@code 42883}, after which services plan again.
 */
public final class ParameterTypes {
    private static final Identifier ROW = Identifier.of("svc_row");

    private static final SqlFragment SELECT = SqlFragment.of("(SELECT ");
    private static final SqlFragment FROM = SqlFragment.of(" FROM ");
    private static final SqlFragment AS = SqlFragment.of(" AS ");
    private static final SqlFragment BEGIN = SqlFragment.of(",CASE WHEN false THEN ");
    private static final SqlFragment END = SqlFragment.of(" END");

    private final Set<SqlFragment> columns = new LinkedHashSet<>();

    /** What is in the columns already: a request may compare one column thousands of times. */
    private final Set<Compared> compared = new HashSet<>();

    private record Compared(QualifiedIdentifier relation, String column) {}

    /** A parameter is compared with a column, or a computed column, of a relation. */
    public void compared(QualifiedIdentifier relation, String column) {
        if (isNew(relation, column)) {
            columns.add(of(relation, column));
        }
    }

    /** The same for a column that the cached schema does not have: a system column, or a new one. */
    public void comparedUnknown(QualifiedIdentifier relation, String column) {
        if (isNew(relation, column)) {
            columns.add(selected(column, relation.sql()));
        }
    }

    /** A column is either known to the schema of a statement or not. */
    private boolean isNew(QualifiedIdentifier relation, String column) {
        return compared.add(new Compared(relation, column)) && Identifier.fits(column);
    }

    /** A parameter is compared with a column of what a function returns. */
    public void compared(Routine routine, String column) {
        List<SqlFragment> arguments =
                routine.parameters().stream().map(ParameterTypes::absent).toList();
        columns.add(selected(
                column,
                routine.id()
                        .sql()
                        .append("(")
                        .append(SqlFragment.join(",", arguments))
                        .append(")")));
    }

    /** A parameter is converted to the type that the cached schema has for a column, and assigned to it. */
    public void assigned(QualifiedIdentifier relation, String column, DataType type) {
        // Both arguments are arrays of one type, whatever it is.
        columns.add(SqlFragment.of("pg_catalog.array_eq(ARRAY[")
                .append(of(relation, column))
                .append("],ARRAY[NULL::")
                .append(type.sql())
                .append("])"));
    }

    /** Parameters are converted to the types that the cached schema has for the parameters of a function. */
    public void called(Routine routine) {
        List<SqlFragment> types = new ArrayList<>();
        routine.parameters().forEach(parameter -> types.add(parameter.type().sql()));
        SqlFragment signature = routine.id()
                .sql()
                .append("(")
                .append(SqlFragment.join(",", types))
                .append(")");
        columns.add(SqlFragment.of(Literal.of(signature.sql())).append("::pg_catalog.regprocedure"));
    }

    /** The columns, each after a comma: PostgreSQL analyses them and drops them from the plan. */
    public SqlFragment sql() {
        return SqlFragment.join(
                "",
                columns.stream()
                        .flatMap(column -> Stream.of(BEGIN, column, END))
                        .toList());
    }

    private static SqlFragment of(QualifiedIdentifier relation, String column) {
        return SqlFragment.of("(NULL::").append(relation.sql()).append(").").append(Identifier.of(column));
    }

    private static SqlFragment selected(String column, SqlFragment source) {
        return SqlFragment.join(
                "", List.of(SELECT, ROW.dot(Identifier.of(column)), FROM, source, AS, ROW, SqlFragment.of(")")));
    }

    private static SqlFragment absent(Routine.Parameter parameter) {
        return SqlFragment.of(parameter.variadic() ? "VARIADIC NULL::" : "NULL::")
                .append(parameter.type().sql());
    }
}
