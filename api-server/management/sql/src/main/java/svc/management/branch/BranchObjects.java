package svc.management.branch;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlTemplate;
import svc.management.query.OwnerReads;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;

/**
 * Writes the script that drops what a branch's migrations made, in the names that applications use: it is judged and audited
 * like every script of the owner. Users and files stay, as after {@code svc db reset}.
 */
@ApplicationScoped
class BranchObjects {
    private static final SqlTemplate OBJECTS = SqlTemplate.resource(BranchObjects.class, "objects.sql");
    private static final Duration TIME = Duration.ofSeconds(10);

    /** Buckets without files: migrations make buckets, too. */
    private static final String BUCKETS =
            "DELETE FROM storage.buckets b WHERE NOT EXISTS (SELECT FROM storage.objects o"
                    + " WHERE o.bucket_id = b.id);\n";

    private final OwnerReads reads;

    BranchObjects(OwnerReads reads) {
        this.reads = reads;
    }

    /** @throws svc.platform.problem.ProblemException if the catalog cannot be read now */
    String drops(Tenant branch) {
        String schema = branch.names().schemaName();
        OwnerReads.Answer objects = reads.read(
                branch,
                OBJECTS.bind(Map.of(
                        "schema", Literal.of(schema),
                        "further", Literal.of("^" + schema + "__"))),
                TIME);
        if (!objects.complete()) {
            throw Problem.of(ProblemCode.SQL_RESULT_TOO_LARGE, "The branch has too many objects to be reset.")
                    .withHint("Delete the branch and create it again.")
                    .asException();
        }
        DisplayedNames names = DisplayedNames.of(branch);
        return objects.rows().stream()
                .map(row -> drop(row, names))
                .collect(Collectors.joining(";\n", "", objects.rows().isEmpty() ? "" : ";\n"))
                .concat(BUCKETS);
    }

    private static String drop(List<String> object, DisplayedNames names) {
        String kind = object.getFirst();
        String name = names.in(object.get(1));
        return switch (kind) {
            case "SCHEMA" -> "DROP SCHEMA IF EXISTS " + Identifier.of(name).sql() + " CASCADE";
            case "STORAGE POLICY", "REALTIME POLICY" -> "DROP POLICY IF EXISTS " + name;
            case "USER TRIGGER" -> "DROP TRIGGER IF EXISTS " + name;
            default -> "DROP " + kind + " IF EXISTS public." + name + " CASCADE";
        };
    }
}
