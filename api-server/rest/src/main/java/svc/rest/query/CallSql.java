package svc.rest.query;

import java.util.OptionalLong;
import svc.catalog.ParameterTypes;
import svc.catalog.Routine.Parameter;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.database.sql.SqlFragment;
import svc.rest.plan.Plan;
import svc.rest.plan.Plan.CallArguments;
import svc.rest.plan.Target;

/** The statement of a function call. Arguments use named notation, so that PostgreSQL applies defaults. */
final class CallSql {
    private static final Identifier BODY = Identifier.of("pgrst_body");
    private static final Identifier CALL = Identifier.of("pgrst_call");

    private static final SqlFragment TEXT = SqlFragment.of("pg_catalog.text");

    private final QueryWriter out;
    private final Plan.Call call;
    private final ParameterTypes types;

    CallSql(QueryWriter out, Plan.Call call, ParameterTypes types) {
        this.out = out;
        this.call = call;
        this.types = types;
    }

    void write() {
        out.sql("WITH pgrst_source AS (");
        if (call.values()) {
            values();
        } else {
            rows();
        }
        out.sql(")");
        var rows = new ReadSql(out, call.output().read());
        new BodySql(out, call.output(), of(), types).write(true, () -> total(rows), rows::rows, () -> {});
    }

    private BodySql.Of of() {
        boolean set = call.routine().returns().setOf();
        if (call.values()) {
            return set ? BodySql.Of.VALUES : BodySql.Of.ONE_VALUE;
        }
        return set ? BodySql.Of.ROWS : BodySql.Of.ONE_ROW;
    }

    private void total(ReadSql rows) {
        if (!call.counted()) {
            out.sql("NULL");
            return;
        }
        out.sql("(");
        rows.count(OptionalLong.empty());
        out.sql(")");
    }

    private void values() {
        out.sql("SELECT ");
        function();
        out.sql(" AS pgrst_scalar");
        if (hasFields()) {
            out.sql(" FROM ");
            fields();
        }
    }

    private void rows() {
        out.sql("SELECT ").value(CALL).sql(".*");
        call.computed().forEach(name -> out.sql(",").value(CALL.dot(name)));
        if (call.wholeRow()) {
            out.sql(",").value(CALL).sql(" AS ").value(Target.Source.Rows.ROW);
        }
        out.sql(" FROM ");
        if (hasFields()) {
            fields();
            out.sql(", LATERAL ");
        }
        function();
        out.sql(" AS ").value(CALL);
    }

    private boolean hasFields() {
        return call.arguments() instanceof CallArguments.Fields fields
                && !fields.parameters().isEmpty();
    }

    /** The keys of a body as columns with the parameters' types. */
    private void fields() {
        CallArguments.Fields fields = (CallArguments.Fields) call.arguments();
        out.sql("pg_catalog.json_to_record(")
                .bind(fields.json())
                .sql(") AS ")
                .value(BODY)
                .sql("(");
        out.each(
                fields.parameters(),
                ",",
                parameter -> out.value(Identifier.of(parameter.name()))
                        .sql(" ")
                        .value(
                                isText(fields, parameter)
                                        ? TEXT
                                        : parameter.type().sql()));
        out.sql(")");
    }

    private void function() {
        out.value(call.routine().id().sql()).sql("(");
        switch (call.arguments()) {
            case CallArguments.Fields fields ->
                out.each(fields.parameters(), ",", parameter -> {
                    named(parameter);
                    out.value(BODY.dot(Identifier.of(parameter.name())));
                    if (isText(fields, parameter)) {
                        out.sql("::").value(parameter.type().sql());
                    }
                });
            case CallArguments.Texts texts ->
                out.each(texts.values(), ",", text -> {
                    named(text.parameter());
                    typed(text.parameter(), text.value());
                });
            case CallArguments.Whole whole -> typed(whole.parameter(), whole.value());
        }
        out.sql(")");
    }

    /** Whether it is JSON that arrives as text. */
    private static boolean isText(CallArguments.Fields fields, Parameter parameter) {
        return fields.texts() && parameter.type().isJson();
    }

    private void named(Parameter parameter) {
        out.sql(parameter.variadic() ? "VARIADIC " : "")
                .value(Identifier.of(parameter.name()))
                .sql(" := ");
    }

    private void typed(Parameter parameter, String value) {
        out.bind(value).sql("::").value(parameter.type().sql());
    }
}
