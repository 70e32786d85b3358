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
 * @param enabled whether the service answers
 */
public record RestSettings(
        boolean enabled,
        Schemas schemas,
        Queries queries,
        Transactions transactions,
        Roles roles,
        Documents documents) {
    /**
     * Where names are looked up.
     *
     * @param exposed the schemas that requests may name, by the names that applications use, the default first; empty for
     *     the main one
     * @param extraSearchPath schemas that names are also looked up in, after the exposed one, in an adopted database
     */
    public record Schemas(List<String> exposed, List<String> extraSearchPath) {
        public Schemas {
            exposed = List.copyOf(exposed);
            extraSearchPath = List.copyOf(extraSearchPath);
        }
    }

    /**
     * What a request may ask for.
     *
     * @param maxRows most rows of one answer, and of one embedded list; 0 for no limit of ours
     * @param aggregates whether it may use aggregate functions
     * @param plan whether it may ask for the execution plan
     */
    public record Queries(int maxRows, boolean aggregates, boolean plan) {}

    /**
     * How a request runs.
     *
     * @param preRequest {@code schema.function} that runs in the transaction before each request
     * @param end how a request ends its transaction
     */
    public record Transactions(Optional<String> preRequest, TransactionEnd end) {}

    /**
     * Roles of an adopted database.
     *
     * @param anonymous the role of requests without a token
     * @param claim path of the claim that names the role
     */
    public record Roles(Optional<String> anonymous, Optional<String> claim) {}

    /**
     * What the service says of itself.
     *
     * @param openapiMode what the OpenAPI document lists
     * @param rootSpec the function of the exposed schema that answers the root, in place of the OpenAPI document
     * @param errorVerbosity what the body of an error has
     */
    public record Documents(OpenApiMode openapiMode, Optional<String> rootSpec, ErrorVerbosity errorVerbosity) {}

    static RestSettings of(RestSpec spec) {
        return new RestSettings(
                spec.enabled(),
                new Schemas(spec.exposedSchemas(), spec.searchedSchemas()),
                new Queries(spec.maxRows(), spec.aggregates(), spec.plan()),
                new Transactions(Optional.ofNullable(spec.preRequest()), spec.txEnd()),
                new Roles(Optional.ofNullable(spec.anonRole()), Optional.ofNullable(spec.roleClaim())),
                new Documents(spec.openapiMode(), Optional.ofNullable(spec.rootSpec()), spec.errorVerbosity()));
    }

    /** What a project has that decides nothing. */
    public static RestSettings defaults() {
        return of(RestSpec.defaults());
    }

    public List<String> exposedSchemas() {
        return schemas.exposed();
    }

    public List<String> extraSearchPath() {
        return schemas.extraSearchPath();
    }

    public int maxRows() {
        return queries.maxRows();
    }

    public boolean aggregates() {
        return queries.aggregates();
    }

    public boolean plan() {
        return queries.plan();
    }

    public Optional<String> preRequest() {
        return transactions.preRequest();
    }

    public TransactionEnd txEnd() {
        return transactions.end();
    }

    public OpenApiMode openapiMode() {
        return documents.openapiMode();
    }

    public Optional<String> anonRole() {
        return roles.anonymous();
    }

    public Optional<String> roleClaim() {
        return roles.claim();
    }

    public Optional<String> rootSpec() {
        return documents.rootSpec();
    }

    public ErrorVerbosity errorVerbosity() {
        return documents.errorVerbosity();
    }

    /** The same, switched off. */
    public RestSettings disabled() {
        return new RestSettings(false, schemas, queries, transactions, roles, documents);
    }

    public RestSettings with(Schemas other) {
        return new RestSettings(enabled, other, queries, transactions, roles, documents);
    }

    public RestSettings with(Queries other) {
        return new RestSettings(enabled, schemas, other, transactions, roles, documents);
    }

    public RestSettings with(Transactions other) {
        return new RestSettings(enabled, schemas, queries, other, roles, documents);
    }

    public RestSettings with(Roles other) {
        return new RestSettings(enabled, schemas, queries, transactions, other, documents);
    }

    public RestSettings with(Documents other) {
        return new RestSettings(enabled, schemas, queries, transactions, roles, other);
    }

    public RestSettings withExposedSchemas(List<String> exposed) {
        return with(new Schemas(exposed, extraSearchPath()));
    }

    public RestSettings withMaxRows(int most) {
        return with(new Queries(most, aggregates(), plan()));
    }

    public RestSettings withAggregates() {
        return with(new Queries(maxRows(), true, plan()));
    }

    public RestSettings withOpenapiMode(OpenApiMode mode) {
        return with(new Documents(mode, rootSpec(), errorVerbosity()));
    }

    public RestSettings withRootSpec(String function) {
        return with(new Documents(openapiMode(), Optional.of(function), errorVerbosity()));
    }

    public RestSettings withErrorVerbosity(ErrorVerbosity verbosity) {
        return with(new Documents(openapiMode(), rootSpec(), verbosity));
    }
}
