package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.shared.AllowedExtensions;
import svc.database.shared.ExtensionAnswers;
import svc.database.shared.ExtensionAnswers.Answer;
import svc.database.shared.ExtensionSchemas;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.problem.ProblemCode;

/**
 * Extensions. Those of the database are the platform's; those that a project has by itself are made and dropped by functions of
 * the platform.
 */
final class ExtensionStatements {
    private static final SqlTemplate INSTALLED = SqlTemplate.of("CREATE EXTENSION IF NOT EXISTS :\"name\"");
    private static final SqlTemplate REQUIRED = SqlTemplate.of("CALL svc_statements.require_extension(:'name')");
    private static final SqlTemplate CREATE = SqlTemplate.of("CALL svc_statements.create_extension(:'name')");
    private static final SqlTemplate REFUSE = SqlTemplate.of("CALL svc_statements.refuse_extension(:'name', :'hint')");
    private static final SqlTemplate DROP =
            SqlTemplate.of("CALL svc_statements.drop_extensions(ARRAY[:{names}], :'if_exists', :'cascade')");

    private static final Set<String> ROUTINES = Set.of("OBJECT_FUNCTION", "OBJECT_PROCEDURE", "OBJECT_ROUTINE");

    private static final Set<String> SCHEMAS =
            ExtensionSchemas.ofSharedDatabase().schemas();

    private ExtensionStatements() {}

    /** Installed ones are not left out: the server says whether the extension is there, and CREATE of one that is does nothing. */
    static Rewrite create(JsonNode tree) {
        String name = tree.path("extname").asText();
        return switch (ExtensionAnswers.of(name)) {
            case Answer.Installed installed -> created(INSTALLED.bind(Map.of("name", Identifier.of(name))));
            case Answer.Administrators optional -> created(REQUIRED.bind(Map.of("name", Literal.of(name))));
            case Answer.OfProject own -> created(CREATE.bind(Map.of("name", Literal.of(name))));
            case Answer.Nothing nothing -> new Rewrite.Nothing("CREATE EXTENSION");
            case Answer.Refused refused ->
                new Rewrite.Refused(ProblemCode.SQL_FORBIDDEN_OBJECT, "the extension " + name, hint(refused));
        };
    }

    /** The same in a PL/pgSQL body, where one is refused when it is reached: it may stand in a block that catches the error. */
    static Rewrite createInBody(JsonNode tree) {
        return create(tree) instanceof Rewrite.Refused refused
                ? created(REFUSE.bind(
                        Map.of("name", Literal.of(tree.path("extname").asText()), "hint", Literal.of(refused.hint()))))
                : create(tree);
    }

    private static Rewrite created(SqlFragment sql) {
        return new Rewrite.Instead(sql, "CREATE EXTENSION");
    }

    private static String hint(Answer.Refused refused) {
        String available = "Available are " + String.join(", ", AllowedExtensions.names()) + ".";
        return refused.hint().isEmpty() ? available : refused.hint() + " " + available;
    }

    /** Of one that is not there IF EXISTS asks for nothing. */
    static Rewrite drop(JsonNode tree) {
        boolean ifExists = tree.path("missing_ok").asBoolean();
        List<Literal> own = new ArrayList<>();
        boolean others = false;
        for (JsonNode object : tree.path("objects")) {
            String name = object.path("String").path("sval").asText();
            if (isInstalled(name)) {
                return Rewrite.refused(
                        "DROP EXTENSION", "All projects of a database share its extensions. Leave the statement out.");
            }
            if (isOfProject(name)) {
                own.add(Literal.of(name));
            } else {
                others = true;
            }
        }
        if (others && !ifExists) {
            return Rewrite.refused("DROP EXTENSION", "It is not there. Leave the statement out, or write IF EXISTS.");
        }
        return own.isEmpty()
                ? new Rewrite.Nothing("DROP EXTENSION")
                : new Rewrite.Instead(
                        DROP.bind(Map.of(
                                "names", SqlFragment.join(", ", own),
                                "if_exists", Literal.of(ifExists),
                                "cascade",
                                        Literal.of(
                                                tree.path("behavior").asText().equals("DROP_CASCADE")))),
                        "DROP EXTENSION");
    }

    /** Versions and schemas of those that a project has by itself are the platform's. */
    static Rewrite alter(JsonNode tree) {
        return isOfProject(tree.path("extname").asText()) ? new Rewrite.Nothing("ALTER EXTENSION") : refusedAlter();
    }

    /** ALTER EXTENSION … SET SCHEMA. */
    static Rewrite moved(JsonNode tree) {
        boolean there = tree.path("newschema").asText().equals("extensions")
                || isOfProject(tree.path("object").path("String").path("sval").asText());
        return there ? new Rewrite.Nothing("ALTER EXTENSION") : refusedAlter();
    }

    private static Rewrite refusedAlter() {
        return Rewrite.refused(
                "ALTER EXTENSION", "The platform installs extensions into the schema extensions and updates them.");
    }

    /** For a comment on one. */
    static boolean isThere(String name) {
        return !(ExtensionAnswers.of(name) instanceof Answer.Refused);
    }

    /**
     * EXECUTE on functions of an extension, which every role has: what they reach is decided by the rights of the caller. They are
     * named with arguments that another version of the extension has, so the server is not asked.
     */
    static boolean isGrantOfFunctions(JsonNode tree) {
        if (!tree.path("is_grant").asBoolean()
                || !ROUTINES.contains(tree.path("objtype").asText())
                || !tree.path("targtype").asText().equals("ACL_TARGET_OBJECT")) {
            return false;
        }
        for (JsonNode object : tree.path("objects")) {
            JsonNode name = object.path("ObjectWithArgs").path("objname");
            if (name.size() != 2 || !SCHEMAS.contains(name.at("/0/String/sval").asText())) {
                return false;
            }
        }
        return true;
    }

    /** Everything in the schemas of extensions, as migrations grant it to the owner, who has it. */
    static boolean isGrantOfAll(JsonNode tree) {
        if (!tree.path("is_grant").asBoolean()
                || !tree.path("targtype").asText().equals("ACL_TARGET_ALL_IN_SCHEMA")
                || tree.path("objects").isEmpty()) {
            return false;
        }
        for (JsonNode schema : tree.path("objects")) {
            if (!SCHEMAS.contains(schema.at("/String/sval").asText())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isInstalled(String name) {
        return switch (ExtensionAnswers.of(name)) {
            case Answer.Installed installed -> true;
            case Answer.Administrators optional -> true;
            default -> false;
        };
    }

    private static boolean isOfProject(String name) {
        return ExtensionAnswers.of(name) instanceof Answer.OfProject;
    }
}
