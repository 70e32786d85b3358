package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.problem.ProblemCode;

/**
 * The realtime publication, by either name that it goes by: a list of tables per project. It is always there, so CREATE
 * adds its tables, and DROP empties the list.
 */
final class PublicationStatements {
    private static final Set<String> NAMES = Set.of("supabase_realtime", "svc_realtime");
    private static final String EVERY_CHANGE = "insert,update,delete,truncate";
    private static final Pattern BLANK = Pattern.compile("[\\s\\x0B]");

    private static final SqlTemplate PUBLISH =
            SqlTemplate.of("CALL svc_statements.publish(:'action', :'publication', :{tables})");

    private final ProjectScope scope;

    PublicationStatements(ProjectScope scope) {
        this.scope = scope;
    }

    /** Whether it is a name of the project's publication. */
    static boolean isOurs(String name) {
        return NAMES.contains(name);
    }

    Rewrite create(JsonNode tree) {
        String name = tree.path("pubname").asText();
        if (tree.path("for_all_tables").asBoolean()) {
            return ofOurs(name, tree, ours -> call("ALL", name, List.of(), "CREATE PUBLICATION"));
        }
        return ofOurs(name, tree, ours -> changed("ADD", name, tree.path("pubobjects"), "CREATE PUBLICATION"));
    }

    Rewrite alter(JsonNode tree) {
        String name = tree.path("pubname").asText();
        JsonNode objects = tree.path("pubobjects");
        if (objects.isEmpty()) {
            return ofOurs(name, tree, ours -> new Rewrite.Nothing("ALTER PUBLICATION"));
        }
        String action = switch (tree.path("action").asText()) {
            case "AP_DropObjects" -> "DROP";
            case "AP_SetObjects" -> "SET";
            default -> "ADD";
        };
        return ofOurs(name, tree, ours -> changed(action, name, objects, "ALTER PUBLICATION"));
    }

    Rewrite dropped(JsonNode tree) {
        for (JsonNode object : tree.path("objects")) {
            if (!NAMES.contains(object.path("String").path("sval").asText())) {
                return another();
            }
        }
        return call("CLEAR", "supabase_realtime", List.of(), "DROP PUBLICATION");
    }

    static Rewrite fixed(String what) {
        return Rewrite.refused(what, "The realtime publication is supabase_realtime; its tables may be changed.");
    }

    private Rewrite ofOurs(String name, JsonNode tree, Function<String, Rewrite> treatment) {
        if (!NAMES.contains(name)) {
            return another();
        }
        for (JsonNode option : tree.path("options")) {
            JsonNode element = option.path("DefElem");
            String value = element.path("arg").path("String").path("sval").asText();
            boolean asItIs = element.path("defname").asText().equals("publish")
                    && BLANK.matcher(value.toLowerCase(Locale.ROOT))
                            .replaceAll("")
                            .equals(EVERY_CHANGE);
            if (!asItIs) {
                return fixed("a parameter of the realtime publication");
            }
        }
        return treatment.apply(name);
    }

    private Rewrite changed(String action, String name, JsonNode objects, String tag) {
        List<String> tables = new ArrayList<>();
        for (JsonNode object : objects) {
            JsonNode spec = object.path("PublicationObjSpec");
            if (!spec.path("pubobjtype").asText().equals("PUBLICATIONOBJ_TABLE")) {
                return objects.size() == 1 ? schema(action, name, spec, tag) : fixed("tables together with schemas");
            }
            JsonNode table = spec.path("pubtable");
            if (table.has("whereClause") || table.has("columns")) {
                return Rewrite.refused(
                        "a publication of some rows or columns of a table",
                        "Row security decides who receives which rows. Name the table alone.");
            }
            JsonNode relation = table.path("relation");
            if (relation.has("schemaname")
                    && !scope.isOwnSchema(relation.path("schemaname").asText())) {
                return new Rewrite.Refused(
                        ProblemCode.SQL_FORBIDDEN_OBJECT,
                        "the publication of a table of the schema "
                                + relation.path("schemaname").asText(),
                        "Tables of the project's own schema can be published.");
            }
            tables.add(relation.path("relname").asText());
        }
        return call(action, name, tables, tag);
    }

    private Rewrite schema(String action, String name, JsonNode spec, String tag) {
        boolean own = spec.path("pubobjtype").asText().equals("PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA")
                || scope.isOwnSchema(spec.path("name").asText());
        if (!own) {
            return new Rewrite.Refused(
                    ProblemCode.SQL_FORBIDDEN_OBJECT,
                    "the publication of the schema " + spec.path("name").asText(),
                    "Tables of the project's own schema can be published.");
        }
        return call(action.equals("DROP") ? "CLEAR" : "ALL", name, List.of(), tag);
    }

    private static Rewrite call(String action, String name, List<String> tables, String tag) {
        SqlFragment list = tables.isEmpty()
                ? SqlFragment.of("NULL")
                : SqlFragment.of("ARRAY[")
                        .append(SqlFragment.join(
                                ", ", tables.stream().map(Literal::of).toList()))
                        .append("]");
        return new Rewrite.Instead(
                PUBLISH.bind(Map.of("action", Literal.of(action), "publication", Literal.of(name), "tables", list)),
                tag);
    }

    private static Rewrite another() {
        return new Rewrite.Refused(
                ProblemCode.SQL_FORBIDDEN_OBJECT,
                "another publication",
                "A project has one, supabase_realtime. Add tables to it: ALTER PUBLICATION supabase_realtime ADD TABLE …");
    }
}
