package svc.api.management.query.gate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** The platform's tables that a tenant's policies and triggers may stand on. They are not the tenant's to alter. */
final class CompanionTables {
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
    Optional<String> ofMember(JsonNode parts) {
        return parts.size() == 3 ? of(part(parts, 0), part(parts, 1)) : Optional.empty();
    }

    Treatment comment(JsonNode tree, String kind) {
        JsonNode parts = tree.path("object").path("List").path("items");
        SqlFragment comment = tree.has("comment")
                ? SqlFragment.of(Literal.of(tree.get("comment").asText()))
                : SqlFragment.of("NULL");
        return ofMember(parts)
                .<Treatment>map(table -> new Treatment.Instead(
                        COMMENT.bind(Map.of(
                                "kind", Literal.of(kind),
                                "relation", Literal.of(table),
                                "name", Literal.of(last(parts)),
                                "comment", comment)),
                        "COMMENT"))
                .orElseGet(Treatment::asIs);
    }

    static String last(JsonNode parts) {
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
