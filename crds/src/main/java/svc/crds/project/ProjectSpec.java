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

/** What a project is to be. Absent parts read as the defaults of the schema. */
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
@JsonClassDescription("What the project is to be.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectSpec(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[^\\p{Cc}\\s]([^\\p{Cc}]*[^\\p{Cc}\\s])?$")
        @JsonPropertyDescription("Name for people; may be changed at any time.")
        String name,

        @Default("default")
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("The organisation whose tokens may reach the project.")
        String organization,

        @Size(min = 8, max = 8)
        @Pattern("^[a-z][a-z0-9]{7}$")
        @JsonPropertyDescription("The reference in the project's host name; derived from namespace and name if absent.")
        String ref,

        @Size(min = 36, max = 36)
        @Pattern("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
        @JsonPropertyDescription(
                "The identity of the project in the database; derived from namespace and name if absent.")
        String projectId,

        @Default("Retain")
        @JsonPropertyDescription("What becomes of the data when the Project is deleted. May be changed at any time.")
        DeletionPolicy deletionPolicy,

        @Default("false")
        @JsonPropertyDescription("Whether the operator leaves the project alone: it changes and repairs nothing.")
        Boolean paused,

        @Default("{}") @JsonPropertyDescription("Where the project lives.")
        DatabaseSpec database,

        @Default("{}") @JsonPropertyDescription("Versions of the keys, for rotation.")
        KeysSpec keys,

        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        @JsonPropertyDescription(
                "A Secret in the same namespace that the operator writes url, schema and both keys to.")
        String keysSecret,

        @Default("{}") @JsonPropertyDescription("What the project may use of its database.")
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

    /** What an absent object means. */
    public static ProjectSpec defaults() {
        return new ProjectSpec(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }
}
