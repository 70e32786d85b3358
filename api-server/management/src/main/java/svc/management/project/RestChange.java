package svc.management.project;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.crds.project.service.OpenApiMode;
import svc.crds.project.service.RestSpec;
import svc.crds.project.service.TransactionEnd;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Settings of a project's REST API, under the names that they have in {@code Project.spec.rest}. What is left out stays as
 * it is; {@code preRequest} and {@code roleClaim} are taken away by null. {@code anonRole} is not among them: it decides
 * whose database this is, and is the cluster's affair.
 *
 * @param preRequest null when left out, empty when it is to be taken away; {@code roleClaim} likewise
 */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record RestChange(
        List<String> exposedSchemas,
        List<String> extraSearchPath,
        Integer maxRows,
        Boolean aggregates,
        Boolean plan,
        Optional<String> preRequest,
        TransactionEnd txEnd,
        OpenApiMode openapiMode,
        Optional<String> roleClaim) {
    private static final int MAX_ROWS = 1_000_000;
    private static final int MAX_SCHEMAS = 32;
    private static final int MAX_SEARCH_PATH = 16;

    /** As PostgreSQL counts it, in bytes. */
    private static final int MAX_NAME_LENGTH = 63;

    private static final int MAX_CLAIM_LENGTH = 255;

    /** The settings that a spec has. */
    static RestChange of(RestSpec spec) {
        return new RestChange(
                spec.exposedSchemas(),
                spec.extraSearchPath(),
                spec.maxRows(),
                spec.aggregates(),
                spec.plan(),
                Optional.ofNullable(spec.preRequest()),
                spec.txEnd(),
                spec.openapiMode(),
                Optional.ofNullable(spec.roleClaim()));
    }

    /** @throws ProblemException 400 with a pointer for the first setting that cannot be so, whatever the project */
    RestChange checked() {
        require(maxRows == null || maxRows >= 1 && maxRows <= MAX_ROWS, "maxRows", "must be from 1 to " + MAX_ROWS);
        schemas(exposedSchemas, "exposedSchemas", MAX_SCHEMAS);
        schemas(extraSearchPath, "extraSearchPath", MAX_SEARCH_PATH);
        given(preRequest)
                .ifPresent(name -> require(
                        isFunctionName(name), "preRequest", "must be the name of a function, as schema.function"));
        given(roleClaim)
                .ifPresent(path -> require(
                        !path.isBlank() && path.length() <= MAX_CLAIM_LENGTH,
                        "roleClaim",
                        "must be the path of a claim, such as .role, in " + MAX_CLAIM_LENGTH + " characters at most"));
        return this;
    }

    /** @throws ProblemException 400 for a setting that would mean nothing in this project */
    RestSpec over(RestSpec current) {
        boolean adopted = current.anonRole() != null;
        requireAdopted(adopted, exposedSchemas == null || exposedSchemas.isEmpty(), "exposedSchemas");
        requireAdopted(adopted, extraSearchPath == null || extraSearchPath.isEmpty(), "extraSearchPath");
        requireAdopted(adopted, given(roleClaim).isEmpty(), "roleClaim");
        return new RestSpec(
                current.enabled(),
                or(exposedSchemas, current.exposedSchemas()),
                or(extraSearchPath, current.extraSearchPath()),
                or(maxRows, current.maxRows()),
                or(aggregates, current.aggregates()),
                or(plan, current.plan()),
                preRequest == null ? current.preRequest() : preRequest.orElse(null),
                or(txEnd, current.txEnd()),
                or(openapiMode, current.openapiMode()),
                current.anonRole(),
                roleClaim == null ? current.roleClaim() : roleClaim.orElse(null));
    }

    private static <T> T or(T given, T current) {
        return given == null ? current : given;
    }

    /** What was set, if it was. */
    private static Optional<String> given(Optional<String> setting) {
        return setting == null ? Optional.empty() : setting;
    }

    private static void schemas(List<String> names, String field, int most) {
        if (names == null) {
            return;
        }
        require(names.size() <= most, field, "must have " + most + " schemas at most");
        require(
                names.stream().allMatch(RestChange::isName),
                field,
                "must be names of schemas, of 1 to " + MAX_NAME_LENGTH + " bytes each");
    }

    private static boolean isFunctionName(String name) {
        int dot = name.indexOf('.');
        return isName(name.substring(dot + 1)) && (dot < 0 || isName(name.substring(0, dot)));
    }

    private static boolean isName(String name) {
        return name != null
                && !name.isBlank()
                && name.indexOf('\0') < 0
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_LENGTH;
    }

    private static void requireAdopted(boolean adopted, boolean absent, String field) {
        require(adopted || absent, field, "means something in an adopted database only");
    }

    private static void require(boolean holds, String field, String otherwise) {
        if (!holds) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /rest/" + field + " " + otherwise + ".")
                    .withError("/rest/" + field, otherwise)
                    .asException();
        }
    }
}
