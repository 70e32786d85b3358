package svc.management.project;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.crds.project.Project;
import svc.crds.project.service.RestSpec;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The settings of the REST API in the form of Supabase's Management API. Pure.
 *
 * @param dbSchema the exposed schemas, by commas; {@code graphql_public}, which tools send unseen, is served anyway
 * @param dbExtraSearchPath by commas; only an adopted database has a choice
 * @param dbPool always null: the platform pools connections
 */
@Schema(name = "PostgrestConfig")
public record RestConfig(String dbSchema, Integer maxRows, String dbExtraSearchPath, Integer dbPool) {
    private static final String GRAPHQL = "graphql_public";

    /** What names are looked up in where a project has no choice. */
    private static final List<String> SEARCHED = List.of("public", "extensions");

    /** With lists as they were written, while they still say what the settings are. */
    static RestConfig of(Project project) {
        RestSpec spec = project.getSpec().rest();
        List<String> exposed = spec.exposedSchemas().isEmpty() ? List.of("public") : spec.exposedSchemas();
        List<String> searched =
                spec.anonRole() == null || spec.extraSearchPath() == null ? SEARCHED : spec.extraSearchPath();
        DeclaredRestConfig written = DeclaredRestConfig.of(project);
        return new RestConfig(
                exposed.equals(exposed(written.dbSchema())) ? written.dbSchema() : String.join(",", exposed),
                spec.maxRows(),
                saysTheSame(names(written.dbExtraSearchPath()), searched)
                        ? written.dbExtraSearchPath()
                        : String.join(", ", searched),
                null);
    }

    /** The order is of no account where a project has no choice. */
    private static boolean saysTheSame(List<String> written, List<String> searched) {
        return written != null
                && (written.equals(searched)
                        || searched.equals(SEARCHED) && Set.copyOf(written).equals(Set.copyOf(SEARCHED)));
    }

    private static List<String> exposed(String text) {
        List<String> names = names(text);
        return names == null
                ? null
                : names.stream().filter(name -> !name.equals(GRAPHQL)).toList();
    }

    /** @throws ProblemException 400 for a setting that no project has */
    RestChange change() {
        if (dbPool != null) {
            String why = "must be null: the platform pools connections";
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /db_pool " + why + ".")
                    .withError("/db_pool", why)
                    .asException();
        }
        List<String> path = names(dbExtraSearchPath);
        return new RestChange(
                        exposed(dbSchema),
                        path == null || Set.copyOf(path).equals(Set.copyOf(SEARCHED)) ? null : path,
                        maxRows,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)
                .checked();
    }

    private static List<String> names(String text) {
        return text == null
                ? null
                : Arrays.stream(text.split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList();
    }

    /** The same problem with the names of this form. */
    static ProblemException renamed(ProblemException exception) {
        return new ConfigTable(
                        "/rest",
                        List.of(
                                ConfigTable.plain("db_schema", "/exposedSchemas"),
                                ConfigTable.plain("db_extra_search_path", "/extraSearchPath"),
                                ConfigTable.plain("max_rows", "/maxRows")))
                .renamed(exception);
    }
}
