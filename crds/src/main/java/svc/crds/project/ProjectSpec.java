package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.service.FunctionsSpec;
import svc.crds.project.service.GraphqlSpec;
import svc.crds.project.service.RealtimeSpec;
import svc.crds.project.service.RestSpec;
import svc.crds.project.service.StorageSpec;

/** The desired state of a project. Absent fields have the defaults of the schema. */
@ValidationRule(
        value = "has(self.ref) == has(oldSelf.ref) && (!has(self.ref) || self.ref == oldSelf.ref)",
        message =
                "ref identifies the project and cannot be set, changed or removed after creation: create another Project",
        fieldPath = ".ref")
@ValidationRule(
        value =
                "has(self.projectId) == has(oldSelf.projectId) && (!has(self.projectId) || self.projectId == oldSelf.projectId)",
        message =
                "projectId identifies the project and cannot be set, changed or removed after creation: create another Project",
        fieldPath = ".projectId")
@ValidationRule(
        value =
                "has(self.branchOf) == has(oldSelf.branchOf) && (!has(self.branchOf) || self.branchOf == oldSelf.branchOf)",
        message =
                "branchOf names the project that this one branched from and cannot be set, changed or removed after creation",
        fieldPath = ".branchOf")
@ValidationRule(
        value = "!has(self.rest.anonRole) || self.database.mode == 'Dedicated'",
        message = "anonRole adopts a dedicated database: remove it, or set mode to Dedicated",
        fieldPath = ".rest.anonRole")
@ValidationRule(
        value = "has(self.rest.anonRole) == has(oldSelf.rest.anonRole)",
        message =
                "anonRole decides whether the database is adopted, and cannot be added or removed after creation: create another Project",
        fieldPath = ".rest")
@JsonClassDescription("What the project is to be.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectSpec(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[^\\p{Cc}\\s]([^\\p{Cc}]*[^\\p{Cc}\\s])?$")
        @JsonPropertyDescription("Display name; may be changed at any time.")
        String name,

        @Default("default")
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("The organisation whose tokens have access to the project.")
        String organization,

        @Size(min = 8, max = 8)
        @Pattern("^[a-z][a-z0-9]{7}$")
        @JsonPropertyDescription("The ref in the project's host name; derived from namespace and name if absent.")
        String ref,

        @Size(min = 36, max = 36)
        @Pattern("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
        @JsonPropertyDescription("The id of the project in the registry; derived from namespace and name if absent.")
        String projectId,

        @Size(min = 8, max = 8)
        @Pattern("^[a-z][a-z0-9]{7}$")
        @JsonPropertyDescription(
                "The ref of the project that this one is a branch of; absent for a project of its own.")
        String branchOf,

        @Default("Retain")
        @JsonPropertyDescription("What happens to the data when the Project is deleted. May be changed at any time.")
        DeletionPolicy deletionPolicy,

        @Default("false") @JsonPropertyDescription("Pauses reconciliation: the operator changes and repairs nothing.")
        Boolean paused,

        @Default("false")
        @JsonPropertyDescription(
                "Stops the project's services: its host answers 503, sockets are closed, no function runs. Its data stays.")
        Boolean suspend,

        @Default("{}") @JsonPropertyDescription("Placement of the project's database.")
        DatabaseSpec database,

        @Default("{}") @JsonPropertyDescription("Key versions, for rotation.")
        KeysSpec keys,

        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        @JsonPropertyDescription(
                "Name of a Secret in the same namespace to which the operator writes url, schema and both keys.")
        String keysSecret,

        @Default("{}") @JsonPropertyDescription("Limits of the project in its database.")
        LimitsSpec limits,

        @Default("{}") @JsonPropertyDescription("The REST API.")
        RestSpec rest,

        @Default("{}") @JsonPropertyDescription("Users and sessions.")
        AuthSpec auth,

        @Default("{}") @JsonPropertyDescription("Object storage.")
        StorageSpec storage,

        @Default("{}") @JsonPropertyDescription("Realtime channels.")
        RealtimeSpec realtime,

        @Default("{}") @JsonPropertyDescription("The GraphQL endpoint.")
        GraphqlSpec graphql,

        @Default("{}") @JsonPropertyDescription("Edge functions.")
        FunctionsSpec functions) {

    public ProjectSpec {
        organization = organization == null ? "default" : organization;
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.RETAIN : deletionPolicy;
        paused = paused == null ? false : paused;
        suspend = suspend == null ? false : suspend;
        database = database == null ? DatabaseSpec.anyShared() : database;
        keys = keys == null ? KeysSpec.first() : keys;
        limits = limits == null ? LimitsSpec.defaults() : limits;
        rest = rest == null ? RestSpec.defaults() : rest;
        auth = auth == null ? AuthSpec.defaults() : auth;
        storage = storage == null ? StorageSpec.defaults() : storage;
        realtime = realtime == null ? RealtimeSpec.defaults() : realtime;
        graphql = graphql == null ? GraphqlSpec.defaults() : graphql;
        functions = functions == null ? FunctionsSpec.defaults() : functions;
    }

    /** A project with this name and defaults. */
    public static ProjectSpec named(String name) {
        return new Builder().name(name).build();
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds a spec field by field; absent fields have their defaults. */
    public static final class Builder {
        private String name;
        private String organization;
        private String ref;
        private String projectId;
        private String branchOf;
        private DeletionPolicy deletionPolicy;
        private Boolean paused;
        private Boolean suspend;
        private DatabaseSpec database;
        private KeysSpec keys;
        private String keysSecret;
        private LimitsSpec limits;
        private RestSpec rest;
        private AuthSpec auth;
        private StorageSpec storage;
        private RealtimeSpec realtime;
        private GraphqlSpec graphql;
        private FunctionsSpec functions;

        private Builder() {}

        private Builder(ProjectSpec from) {
            this.name = from.name;
            this.organization = from.organization;
            this.ref = from.ref;
            this.projectId = from.projectId;
            this.branchOf = from.branchOf;
            this.deletionPolicy = from.deletionPolicy;
            this.paused = from.paused;
            this.suspend = from.suspend;
            this.database = from.database;
            this.keys = from.keys;
            this.keysSecret = from.keysSecret;
            this.limits = from.limits;
            this.rest = from.rest;
            this.auth = from.auth;
            this.storage = from.storage;
            this.realtime = from.realtime;
            this.graphql = from.graphql;
            this.functions = from.functions;
        }

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder organization(String organization) {
            this.organization = organization;
            return this;
        }

        public Builder ref(String ref) {
            this.ref = ref;
            return this;
        }

        public Builder projectId(String projectId) {
            this.projectId = projectId;
            return this;
        }

        public Builder branchOf(String branchOf) {
            this.branchOf = branchOf;
            return this;
        }

        public Builder deletionPolicy(DeletionPolicy deletionPolicy) {
            this.deletionPolicy = deletionPolicy;
            return this;
        }

        public Builder paused(Boolean paused) {
            this.paused = paused;
            return this;
        }

        public Builder suspend(Boolean suspend) {
            this.suspend = suspend;
            return this;
        }

        public Builder database(DatabaseSpec database) {
            this.database = database;
            return this;
        }

        public Builder keys(KeysSpec keys) {
            this.keys = keys;
            return this;
        }

        public Builder keysSecret(String keysSecret) {
            this.keysSecret = keysSecret;
            return this;
        }

        public Builder limits(LimitsSpec limits) {
            this.limits = limits;
            return this;
        }

        public Builder rest(RestSpec rest) {
            this.rest = rest;
            return this;
        }

        public Builder auth(AuthSpec auth) {
            this.auth = auth;
            return this;
        }

        public Builder storage(StorageSpec storage) {
            this.storage = storage;
            return this;
        }

        public Builder realtime(RealtimeSpec realtime) {
            this.realtime = realtime;
            return this;
        }

        public Builder graphql(GraphqlSpec graphql) {
            this.graphql = graphql;
            return this;
        }

        public Builder functions(FunctionsSpec functions) {
            this.functions = functions;
            return this;
        }

        public ProjectSpec build() {
            return new ProjectSpec(
                    name,
                    organization,
                    ref,
                    projectId,
                    branchOf,
                    deletionPolicy,
                    paused,
                    suspend,
                    database,
                    keys,
                    keysSecret,
                    limits,
                    rest,
                    auth,
                    storage,
                    realtime,
                    graphql,
                    functions);
        }
    }
}
