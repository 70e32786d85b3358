package svc.platform.tenancy;

import java.util.List;
import java.util.Optional;
import svc.crds.project.service.ErrorVerbosity;
import svc.crds.project.service.OpenApiMode;
import svc.crds.project.service.RestSpec;
import svc.crds.project.service.TransactionEnd;

/**
 * What a project has decided about its REST API, {@code Project.spec.rest}.
 *
 * @param exposedSchemas the schemas that requests may name, by the names that applications use, the default first; empty for
 *     the main one
 * @param extraSearchPath schemas that names are also looked up in, after the exposed one, in an adopted database
 * @param maxRows most rows of one answer, and of one embedded list; 0 for no limit of ours
 * @param aggregates whether a request may use aggregate functions
 * @param plan whether a request may ask for the execution plan
 * @param preRequest {@code schema.function} that runs in the transaction before each request
 * @param txEnd how a request ends its transaction
 * @param openapiMode what the OpenAPI document lists
 * @param anonRole the role of requests without a token, in an adopted database
 * @param roleClaim path of the claim that names the role, in an adopted database
 * @param enabled whether the service answers
 * @param rootSpec the function of the exposed schema that answers the root, in place of the OpenAPI document
 * @param errorVerbosity what the body of an error has
 */
public record RestSettings(
        List<String> exposedSchemas,
        List<String> extraSearchPath,
        int maxRows,
        boolean aggregates,
        boolean plan,
        Optional<String> preRequest,
        TransactionEnd txEnd,
        OpenApiMode openapiMode,
        Optional<String> anonRole,
        Optional<String> roleClaim,
        boolean enabled,
        Optional<String> rootSpec,
        ErrorVerbosity errorVerbosity) {
    public RestSettings {
        exposedSchemas = List.copyOf(exposedSchemas);
        extraSearchPath = List.copyOf(extraSearchPath);
    }

    static RestSettings of(RestSpec spec) {
        return new RestSettings(
                spec.exposedSchemas(),
                spec.searchedSchemas(),
                spec.maxRows(),
                spec.aggregates(),
                spec.plan(),
                Optional.ofNullable(spec.preRequest()),
                spec.txEnd(),
                spec.openapiMode(),
                Optional.ofNullable(spec.anonRole()),
                Optional.ofNullable(spec.roleClaim()),
                spec.enabled(),
                Optional.ofNullable(spec.rootSpec()),
                spec.errorVerbosity());
    }

    /** What a project has that decides nothing. */
    public static RestSettings defaults() {
        return of(RestSpec.defaults());
    }

    public RestSettings withExposedSchemas(List<String> schemas) {
        return new RestSettings(
                schemas,
                extraSearchPath,
                maxRows,
                aggregates,
                plan,
                preRequest,
                txEnd,
                openapiMode,
                anonRole,
                roleClaim,
                enabled,
                rootSpec,
                errorVerbosity);
    }

    public RestSettings withMaxRows(int most) {
        return new RestSettings(
                exposedSchemas,
                extraSearchPath,
                most,
                aggregates,
                plan,
                preRequest,
                txEnd,
                openapiMode,
                anonRole,
                roleClaim,
                enabled,
                rootSpec,
                errorVerbosity);
    }

    /** The same, switched off. */
    public RestSettings disabled() {
        return new RestSettings(
                exposedSchemas,
                extraSearchPath,
                maxRows,
                aggregates,
                plan,
                preRequest,
                txEnd,
                openapiMode,
                anonRole,
                roleClaim,
                false,
                rootSpec,
                errorVerbosity);
    }

    public RestSettings withOpenapiMode(OpenApiMode other) {
        return new RestSettings(
                exposedSchemas,
                extraSearchPath,
                maxRows,
                aggregates,
                plan,
                preRequest,
                txEnd,
                other,
                anonRole,
                roleClaim,
                enabled,
                rootSpec,
                errorVerbosity);
    }

    public RestSettings withRootSpec(String function) {
        return new RestSettings(
                exposedSchemas,
                extraSearchPath,
                maxRows,
                aggregates,
                plan,
                preRequest,
                txEnd,
                openapiMode,
                anonRole,
                roleClaim,
                enabled,
                Optional.of(function),
                errorVerbosity);
    }

    public RestSettings withErrorVerbosity(ErrorVerbosity other) {
        return new RestSettings(
                exposedSchemas,
                extraSearchPath,
                maxRows,
                aggregates,
                plan,
                preRequest,
                txEnd,
                openapiMode,
                anonRole,
                roleClaim,
                enabled,
                rootSpec,
                other);
    }

    public RestSettings withAggregates() {
        return new RestSettings(
                exposedSchemas,
                extraSearchPath,
                maxRows,
                true,
                plan,
                preRequest,
                txEnd,
                openapiMode,
                anonRole,
                roleClaim,
                enabled,
                rootSpec,
                errorVerbosity);
    }
}
