package svc.database.project.companion;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.CompileTimeConstant;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * A function that tenants' policies call. It is STABLE or IMMUTABLE, runs as its caller, and its body is SQL-standard: what
 * the body names is bound when it is created, so no tenant's search_path can put another object in its place.
 *
 * @param argument name and type as {@code pg_get_function_arguments} gives them; empty for none
 * @param argumentType type only, for looking the function up
 * @param returns as {@code format_type} spells it
 * @param body the expression, as {@code pg_get_function_sqlbody} gives it after RETURN
 */
public record CompanionFunction(
        CompanionSchema schema,
        Identifier name,
        SqlFragment argument,
        SqlFragment argumentType,
        SqlFragment returns,
        SqlFragment volatility,
        SqlFragment body) {
    public CompanionFunction {
        requireNonNull(schema, "schema is null");
        requireNonNull(name, "name is null");
    }

    /** Without arguments; reads settings of the session. */
    public static CompanionFunction ofSession(
            CompanionSchema schema,
            @CompileTimeConstant final String name,
            @CompileTimeConstant final String returns,
            @CompileTimeConstant final String body) {
        return new CompanionFunction(
                schema,
                Identifier.of(name),
                SqlFragment.empty(),
                SqlFragment.empty(),
                SqlFragment.of(returns),
                SqlFragment.of("STABLE"),
                SqlFragment.of(body));
    }

    /** Of one text argument called {@code name}. */
    public static CompanionFunction ofText(
            CompanionSchema schema,
            @CompileTimeConstant final String name,
            @CompileTimeConstant final String returns,
            @CompileTimeConstant final String body) {
        return new CompanionFunction(
                schema,
                Identifier.of(name),
                SqlFragment.of("name text"),
                SqlFragment.of("text"),
                SqlFragment.of(returns),
                SqlFragment.of("IMMUTABLE"),
                SqlFragment.of(body));
    }

    /** {@code auth.uid()}: as in facts and messages. */
    public String label() {
        return schema.label() + "." + name.name() + "(" + argumentType.sql() + ")";
    }

    /** The qualified name with the argument's type, as GRANT and ALTER FUNCTION take it. */
    public SqlFragment in(ProjectNames names) {
        return schema.in(names).dot(name).append("(").append(argumentType).append(")");
    }

    /** Everything about the function that must be as described, in one text. */
    public String shape() {
        return returns.sql() + " " + volatility.sql() + " sql INVOKER RETURN " + body.sql();
    }
}
