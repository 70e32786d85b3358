package svc.management.project;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
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
public record RestConfig(String dbSchema, Integer maxRows, String dbExtraSearchPath, Integer dbPool) {
    private static final String GRAPHQL = "graphql_public";

    /** What names are looked up in where a project has no choice. */
    private static final List<String> SEARCHED = List.of("public", "extensions");

    static RestConfig of(RestSpec spec) {
        return new RestConfig(
                spec.exposedSchemas().isEmpty() ? "public" : String.join(",", spec.exposedSchemas()),
                spec.maxRows(),
                String.join(", ", spec.extraSearchPath().isEmpty() ? SEARCHED : spec.extraSearchPath()),
                null);
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
                        dbSchema == null
                                ? null
                                : names(dbSchema).stream()
                                        .filter(name -> !name.equals(GRAPHQL))
                                        .toList(),
                        path == null || Set.copyOf(path).equals(Set.copyOf(SEARCHED)) ? null : path,
                        maxRows,
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
