package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** The platform's tables that a tenant's policies and triggers may stand on. They are not the tenant's to alter. */
final class CompanionTables {
    /** The objects that a tenant may create on such a table. */
    enum Member {
        POLICY(
                SqlTemplate.of("CALL svc_statements.rename_policy(:'relation', :'name', :'new_name')"),
                SqlTemplate.of("CALL svc_statements.drop_policy(:'relation', :'name', :'if_exists')")),
        TRIGGER(
                SqlTemplate.of("CALL svc_statements.rename_trigger(:'relation', :'name', :'new_name')"),
                SqlTemplate.of("CALL svc_statements.drop_trigger(:'relation', :'name', :'if_exists')"));

        private final SqlTemplate rename;
        private final SqlTemplate drop;

        Member(SqlTemplate rename, SqlTemplate drop) {
            this.rename = rename;
            this.drop = drop;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final SqlTemplate COMMENT =
            SqlTemplate.of("CALL svc_statements.comment_on(:'kind', :'relation', :'name', :{comment})");

    private final ProjectScope scope;

    CompanionTables(ProjectScope scope) {
        this.scope = scope;
    }

    /** The table's own name, which none of the others has; empty for every table that is not one of these. */
    Optional<String> of(JsonNode rangeVar) {
        return of(rangeVar.path("schemaname").asText(), rangeVar.path("relname").asText());
    }

    /** The table in a list of names whose last belongs to something on it. */
    private Optional<String> ofMember(JsonNode parts) {
        return parts.size() == 3 ? of(part(parts, 0), part(parts, 1)) : Optional.empty();
    }

    Rewrite renamed(Member member, JsonNode tree) {
        return of(tree.path("relation"))
                .<Rewrite>map(table -> new Rewrite.Instead(
                        member.rename.bind(Map.of(
                                "relation", Literal.of(table),
                                "name", Literal.of(tree.path("subname").asText()),
                                "new_name", Literal.of(tree.path("newname").asText()))),
                        "ALTER " + member))
                .orElseGet(Rewrite::asIs);
    }

    Rewrite dropped(Member member, JsonNode tree) {
        JsonNode parts = tree.path("objects").path(0).path("List").path("items");
        return ofMember(parts)
                .<Rewrite>map(table -> new Rewrite.Instead(
                        member.drop.bind(Map.of(
                                "relation", Literal.of(table),
                                "name", Literal.of(last(parts)),
                                "if_exists", Literal.of(tree.path("missing_ok").asBoolean()))),
                        "DROP " + member))
                .orElseGet(Rewrite::asIs);
    }

    Rewrite comment(Member member, JsonNode tree) {
        JsonNode parts = tree.path("object").path("List").path("items");
        SqlFragment comment = tree.has("comment")
                ? SqlFragment.of(Literal.of(tree.get("comment").asText()))
                : SqlFragment.of("NULL");
        return ofMember(parts)
                .<Rewrite>map(table -> new Rewrite.Instead(
                        COMMENT.bind(Map.of(
                                "kind", Literal.of(member.word()),
                                "relation", Literal.of(table),
                                "name", Literal.of(last(parts)),
                                "comment", comment)),
                        "COMMENT"))
                .orElseGet(Rewrite::asIs);
    }

    private static String last(JsonNode parts) {
        return part(parts, parts.size() - 1);
    }

    private Optional<String> of(String schema, String table) {
        boolean known = scope.isAuth(schema) && table.equals("users")
                || scope.isStorage(schema) && Set.of("objects", "buckets").contains(table)
                || scope.isRealtime(schema) && table.equals("messages");
        return known ? Optional.of(table) : Optional.empty();
    }

    private static String part(JsonNode parts, int index) {
        return parts.get(index).path("String").path("sval").asText();
    }
}
