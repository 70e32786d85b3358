package svc.api.rest.query;

import java.util.List;
import java.util.stream.Collectors;
import svc.api.rest.plan.Plan.Target;
import svc.api.rest.request.Condition;
import svc.api.rest.request.Condition.Quantifier;
import svc.api.rest.request.Operator;

/**
 * Conditions as SQL. A value is a bind without a type, which PostgreSQL reads as the column's type. Operators are looked up
 * along the search path, so that those of extensions and of the tenant's own types are found.
 */
final class ConditionSql {
    private final QueryWriter out;
    private final FieldSql fields;

    ConditionSql(QueryWriter out, Target target) {
        this.out = out;
        this.fields = new FieldSql(out, target);
    }

    void where(Condition condition) {
        if (condition instanceof Condition.And all && all.parts().isEmpty()) {
            return;
        }
        out.sql(" WHERE ");
        write(condition);
    }

    private void write(Condition condition) {
        switch (condition) {
            case Condition.And all ->
                out.sql("(").each(all.parts(), " AND ", this::write).sql(")");
            case Condition.Or any ->
                out.sql("(").each(any.parts(), " OR ", this::write).sql(")");
            case Condition.Not not -> {
                out.sql("NOT (");
                write(not.part());
                out.sql(")");
            }
            case Condition.Compare compare -> compare(compare);
            case Condition.In in -> {
                fields.field(in.field());
                out.sql(" = ANY (").bind(array(in.values())).sql(")");
            }
            case Condition.Is is -> {
                fields.field(is.field());
                is(is.truth());
            }
        }
    }

    private void is(Condition.Truth truth) {
        switch (truth) {
            case NULL -> out.sql(" IS NULL");
            case NOT_NULL -> out.sql(" IS NOT NULL");
            case TRUE -> out.sql(" IS TRUE");
            case FALSE -> out.sql(" IS FALSE");
            case UNKNOWN -> out.sql(" IS UNKNOWN");
        }
    }

    private void compare(Condition.Compare compare) {
        fields.field(compare.field());
        operator(compare.operator());
        if (compare.quantifier() == Quantifier.NONE) {
            out.bind(compare.value());
        } else {
            out.sql(compare.quantifier() == Quantifier.ANY ? "ANY (" : "ALL (")
                    .bind(compare.value())
                    .sql(")");
        }
    }

    private void operator(Operator operator) {
        switch (operator) {
            case EQ -> out.sql(" = ");
            case NEQ -> out.sql(" <> ");
            case GT -> out.sql(" > ");
            case GTE -> out.sql(" >= ");
            case LT -> out.sql(" < ");
            case LTE -> out.sql(" <= ");
            case LIKE -> out.sql(" LIKE ");
            case ILIKE -> out.sql(" ILIKE ");
            case MATCH -> out.sql(" ~ ");
            case IMATCH -> out.sql(" ~* ");
            case ISDISTINCT -> out.sql(" IS DISTINCT FROM ");
            case CONTAINS -> out.sql(" @> ");
            case CONTAINED -> out.sql(" <@ ");
            case OVERLAPS -> out.sql(" && ");
            case STRICTLY_LEFT -> out.sql(" << ");
            case STRICTLY_RIGHT -> out.sql(" >> ");
            case NOT_RIGHT -> out.sql(" &< ");
            case NOT_LEFT -> out.sql(" &> ");
            case ADJACENT -> out.sql(" -|- ");
        }
    }

    /** The text of an array that holds these values, in PostgreSQL's notation; quotes keep NULL a word. */
    private static String array(List<String> values) {
        return values.stream()
                .map(value -> '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }
}
