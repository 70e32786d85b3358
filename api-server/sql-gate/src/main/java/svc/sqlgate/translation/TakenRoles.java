package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.ReadStatement;

/**
 * The roles that a script takes. A COMMIT ends what SET LOCAL has set; one that is left out with its BEGIN would let the
 * statements behind it run in that role, under row security that they did not expect. So it gives the role back instead.
 */
public final class TakenRoles {
    private static final SqlFragment RESET = SqlFragment.of("RESET ROLE");
    private static final SqlTemplate SET = SqlTemplate.of("SET ROLE :\"role\"");

    private final boolean any;
    private SqlFragment outside;

    private TakenRoles(boolean any, SqlFragment outside) {
        this.any = any;
        this.outside = outside;
    }

    /** Before a script. */
    public static TakenRoles none() {
        return new TakenRoles(false, RESET);
    }

    /** With those of the statements behind; to be asked before these are followed. */
    public TakenRoles and(List<ReadStatement> behind) {
        return new TakenRoles(any || behind.stream().anyMatch(TakenRoles::takes), outside);
    }

    /** Whether any statement says so, in a body or outside of one; what a function does that exists already is not seen. */
    public boolean any() {
        return any;
    }

    /** Follows the statements of the script in their order. */
    public void follow(Statement statement) {
        if (statement.kind().equals("VariableSetStmt")) {
            JsonNode tree = statement.tree();
            if (isRole(tree.path("name").asText()) && !tree.path("is_local").asBoolean()) {
                outside = text(value(tree.path("args").path(0)));
            }
        } else {
            setConfig(statement.tree())
                    .filter(arguments -> !arguments
                            .path(2)
                            .path("A_Const")
                            .path("boolval")
                            .path("boolval")
                            .asBoolean())
                    .ifPresent(arguments -> outside = text(value(arguments.path(1))));
        }
    }

    /** What is sent for the COMMIT of a pair; empty for a script that takes no role. */
    public Optional<SqlFragment> atCommit() {
        return any ? Optional.of(outside) : Optional.empty();
    }

    private static SqlFragment text(String role) {
        return role.isEmpty() || role.equals("none") ? RESET : SET.bind(Map.of("role", Identifier.of(role)));
    }

    private static boolean takes(ReadStatement read) {
        Statement statement = read.statement();
        boolean itself = statement.kind().equals("VariableSetStmt")
                ? isRole(statement.tree().path("name").asText())
                : setConfig(statement.tree()).isPresent();
        return itself || read.embedded().anyMatch(TakenRoles::takes);
    }

    /** The arguments of {@code SELECT set_config('role', …)}. */
    private static Optional<JsonNode> setConfig(JsonNode tree) {
        for (JsonNode target : tree.path("targetList")) {
            JsonNode call = target.path("ResTarget").path("val").path("FuncCall");
            JsonNode name = call.path("funcname");
            if (name.path(name.size() - 1).path("String").path("sval").asText().equals("set_config")
                    && isRole(value(call.path("args").path(0)))) {
                return Optional.of(call.path("args"));
            }
        }
        return Optional.empty();
    }

    private static boolean isRole(String parameter) {
        return parameter.equalsIgnoreCase("role");
    }

    private static String value(JsonNode node) {
        return node.path("A_Const").path("sval").path("sval").asText();
    }
}
