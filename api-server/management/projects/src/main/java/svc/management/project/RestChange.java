package svc.management.project;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.crds.project.service.ErrorVerbosity;
import svc.crds.project.service.OpenApiMode;
import svc.crds.project.service.RestSpec;
import svc.crds.project.service.TransactionEnd;
import svc.database.name.FurtherSchema;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Settings of a project's REST API, with the field names of {@code Project.spec.rest}. Omitted fields keep their value;
 * null removes {@code preRequest}, {@code roleClaim} and {@code rootSpec}. {@code anonRole} is not among them: it marks an adopted
 * database, which only the cluster's administrators decide.
 *
 * @param preRequest null if omitted, empty if it is to be removed; {@code roleClaim} and {@code rootSpec} likewise
 */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@Schema(name = "RestSettings")
public record RestChange(
        List<String> exposedSchemas,
        List<String> extraSearchPath,
        Integer maxRows,
        Boolean aggregates,
        Boolean plan,
        Optional<String> preRequest,
        TransactionEnd txEnd,
        OpenApiMode openapiMode,
        Optional<String> roleClaim,
        Optional<String> rootSpec,
        ErrorVerbosity errorVerbosity) {
    private static final int MAX_ROWS = 1_000_000;
    private static final int MAX_SCHEMAS = 32;
    private static final int MAX_SEARCH_PATH = 16;

    /** PostgreSQL's limit, in bytes. */
    private static final int MAX_NAME_LENGTH = 63;

    private static final int MAX_CLAIM_LENGTH = 255;
    private static final String PUBLIC = "public";

    /** The settings of a spec. */
    static RestChange of(RestSpec spec) {
        return new RestChange(
                spec.exposedSchemas(),
                spec.anonRole() == null ? List.of() : spec.searchedSchemas(),
                spec.maxRows(),
                spec.aggregates(),
                spec.plan(),
                Optional.ofNullable(spec.preRequest()),
                spec.txEnd(),
                spec.openapiMode(),
                Optional.ofNullable(spec.roleClaim()),
                Optional.ofNullable(spec.rootSpec()),
                spec.errorVerbosity());
    }

    /** @throws ProblemException 400 with a pointer to the first setting that is invalid in every project */
    RestChange checked() {
        require(maxRows == null || maxRows >= 1 && maxRows <= MAX_ROWS, "maxRows", "must be from 1 to " + MAX_ROWS);
        schemas(exposedSchemas, "exposedSchemas", MAX_SCHEMAS);
        schemas(extraSearchPath, "extraSearchPath", MAX_SEARCH_PATH);
        given(preRequest)
                .ifPresent(name -> require(
                        isFunctionName(name), "preRequest", "must be the name of a function, as schema.function"));
        given(rootSpec)
                .ifPresent(name -> require(
                        isName(name),
                        "rootSpec",
                        "must be the name of a function of the exposed schema, without the schema"));
        given(roleClaim)
                .ifPresent(path -> require(
                        !path.isBlank() && path.length() <= MAX_CLAIM_LENGTH,
                        "roleClaim",
                        "must be the path of a claim, such as .role, in " + MAX_CLAIM_LENGTH + " characters at most"));
        return this;
    }

    /** @throws ProblemException 400 for a setting that is invalid in this project */
    RestSpec over(RestSpec current) {
        boolean adopted = current.anonRole() != null;
        require(
                adopted || exposedSchemas == null || exposedSchemas.stream().allMatch(RestChange::isExposable),
                "exposedSchemas",
                "must be public, or names of schemas that CREATE SCHEMA can make: a to z, digits and underscores, "
                        + FurtherSchema.MAX_LENGTH + " characters at most");
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
                roleClaim == null ? current.roleClaim() : roleClaim.orElse(null),
                rootSpec == null ? current.rootSpec() : rootSpec.orElse(null),
                or(errorVerbosity, current.errorVerbosity()));
    }

    private static <T> T or(T given, T current) {
        return given == null ? current : given;
    }

    /** The value, if one is set. */
    private static Optional<String> given(Optional<String> setting) {
        return setting == null ? Optional.empty() : setting;
    }

    private static void schemas(List<String> names, String field, int max) {
        if (names == null) {
            return;
        }
        require(names.size() <= max, field, "must have " + max + " schemas at most");
        require(
                names.stream().allMatch(RestChange::isName),
                field,
                "must be names of schemas, of 1 to " + MAX_NAME_LENGTH + " bytes each");
    }

    private static boolean isExposable(String name) {
        return name.equals(PUBLIC) || FurtherSchema.isName(name);
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
        require(adopted || absent, field, "is valid in an adopted database only");
    }

    private static void require(boolean holds, String field, String otherwise) {
        if (!holds) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /rest/" + field + " " + otherwise + ".")
                    .withError("/rest/" + field, otherwise)
                    .asException();
        }
    }
}
