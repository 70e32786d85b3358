package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import svc.crds.condition.Condition;

/** The observed state of a project. Contains no unencrypted secret. */
@JsonClassDescription("What the project is. Written by the operator.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectStatus(
        @Min(0) @JsonPropertyDescription("metadata.generation that this status reflects.")
        Long observedGeneration,

        @Size(max = 16)
        @JsonPropertyDescription(
                "Claimed, DatabaseReady and KeysReady; Ready summarizes them. ReconciliationPaused while paused, Suspended while suspended.")
        List<Condition> conditions,

        @Size(max = 8) @JsonPropertyDescription("The ref in the project's host name.")
        String ref,

        @Size(max = 36) @JsonPropertyDescription("The id of the project in the registry.")
        String projectId,

        @Size(max = 63) @JsonPropertyDescription("The project's database schema.")
        String schema,

        @Size(max = 2048) @JsonPropertyDescription("Base URL of the project.")
        String url,

        @Size(max = 2048) @JsonPropertyDescription("URL of the REST API.")
        String restUrl,

        @Size(max = 2048) @JsonPropertyDescription("URL of the auth service.")
        String authUrl,

        @Size(max = 2048) @JsonPropertyDescription("URL of object storage.")
        String storageUrl,

        @Size(max = 2048) @JsonPropertyDescription("URL of the realtime channels.")
        String realtimeUrl,

        @Size(max = 2048) @JsonPropertyDescription("URL of the GraphQL endpoint.")
        String graphqlUrl,

        @Size(max = 2048) @JsonPropertyDescription("URL of the edge functions.")
        String functionsUrl,

        @Size(max = 255)
        @JsonPropertyDescription("The anon key. Public by nature: it is part of every generated application.")
        String anonKey,

        @Size(max = 64)
        @JsonPropertyDescription(
                "Random value from which the keys are derived together with the master key, base64url. Replaced when a deleted project is created again. Not a secret.")
        String incarnation,

        @Min(1) @JsonPropertyDescription("The version of the master key that the keys are derived from.")
        Integer masterKeyVersion,

        @JsonPropertyDescription("The active versions of the keys.")
        ActiveKeys keys,

        @JsonPropertyDescription("Location of the project's database.")
        ProjectDatabase database,

        @Min(0) @JsonPropertyDescription("Version of the auth, storage and realtime schemas.")
        Integer companionVersion,

        @Size(max = 253) @JsonPropertyDescription("The Secret to which the operator wrote url, schema and both keys.")
        String secretName,

        @Size(max = 8) @JsonPropertyDescription("Additional keys that verify tokens of other issuers.")
        List<ActiveVerifyKey> verifyKeys,

        @Size(max = 80)
        @JsonPropertyDescription("Encrypted values of the Secrets in spec.auth and spec.storage.webhooks.")
        List<ActiveSecret> authSecrets,

        @JsonPropertyDescription("The realtime sidecar of a project with a dedicated database.")
        RealtimeStatus realtime) {

    public ProjectStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        verifyKeys = verifyKeys == null || verifyKeys.isEmpty() ? null : List.copyOf(verifyKeys);
        authSecrets = authSecrets == null || authSecrets.isEmpty() ? null : List.copyOf(authSecrets);
    }

    /** An empty status. */
    public static ProjectStatus empty() {
        return new ProjectStatus(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds a status field by field. */
    public static final class Builder {
        private Long observedGeneration;
        private List<Condition> conditions;
        private String ref;
        private String projectId;
        private String schema;
        private String url;
        private String restUrl;
        private String authUrl;
        private String storageUrl;
        private String realtimeUrl;
        private String graphqlUrl;
        private String functionsUrl;
        private String anonKey;
        private String incarnation;
        private Integer masterKeyVersion;
        private ActiveKeys keys;
        private ProjectDatabase database;
        private Integer companionVersion;
        private String secretName;
        private List<ActiveVerifyKey> verifyKeys;
        private List<ActiveSecret> authSecrets;
        private RealtimeStatus realtime;

        private Builder(ProjectStatus from) {
            this.observedGeneration = from.observedGeneration;
            this.conditions = from.conditions;
            this.ref = from.ref;
            this.projectId = from.projectId;
            this.schema = from.schema;
            this.url = from.url;
            this.restUrl = from.restUrl;
            this.authUrl = from.authUrl;
            this.storageUrl = from.storageUrl;
            this.realtimeUrl = from.realtimeUrl;
            this.graphqlUrl = from.graphqlUrl;
            this.functionsUrl = from.functionsUrl;
            this.anonKey = from.anonKey;
            this.incarnation = from.incarnation;
            this.masterKeyVersion = from.masterKeyVersion;
            this.keys = from.keys;
            this.database = from.database;
            this.companionVersion = from.companionVersion;
            this.secretName = from.secretName;
            this.verifyKeys = from.verifyKeys;
            this.authSecrets = from.authSecrets;
            this.realtime = from.realtime;
        }

        public Builder observedGeneration(Long observedGeneration) {
            this.observedGeneration = observedGeneration;
            return this;
        }

        public Builder conditions(List<Condition> conditions) {
            this.conditions = conditions;
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

        public Builder schema(String schema) {
            this.schema = schema;
            return this;
        }

        public Builder url(String url) {
            this.url = url;
            return this;
        }

        public Builder restUrl(String restUrl) {
            this.restUrl = restUrl;
            return this;
        }

        public Builder authUrl(String authUrl) {
            this.authUrl = authUrl;
            return this;
        }

        public Builder storageUrl(String storageUrl) {
            this.storageUrl = storageUrl;
            return this;
        }

        public Builder realtimeUrl(String realtimeUrl) {
            this.realtimeUrl = realtimeUrl;
            return this;
        }

        public Builder graphqlUrl(String graphqlUrl) {
            this.graphqlUrl = graphqlUrl;
            return this;
        }

        public Builder functionsUrl(String functionsUrl) {
            this.functionsUrl = functionsUrl;
            return this;
        }

        public Builder anonKey(String anonKey) {
            this.anonKey = anonKey;
            return this;
        }

        public Builder incarnation(String incarnation) {
            this.incarnation = incarnation;
            return this;
        }

        public Builder masterKeyVersion(Integer masterKeyVersion) {
            this.masterKeyVersion = masterKeyVersion;
            return this;
        }

        public Builder keys(ActiveKeys keys) {
            this.keys = keys;
            return this;
        }

        public Builder database(ProjectDatabase database) {
            this.database = database;
            return this;
        }

        public Builder companionVersion(Integer companionVersion) {
            this.companionVersion = companionVersion;
            return this;
        }

        public Builder secretName(String secretName) {
            this.secretName = secretName;
            return this;
        }

        public Builder verifyKeys(List<ActiveVerifyKey> verifyKeys) {
            this.verifyKeys = verifyKeys;
            return this;
        }

        public Builder authSecrets(List<ActiveSecret> authSecrets) {
            this.authSecrets = authSecrets;
            return this;
        }

        public Builder realtime(RealtimeStatus realtime) {
            this.realtime = realtime;
            return this;
        }

        public ProjectStatus build() {
            return new ProjectStatus(
                    observedGeneration,
                    conditions,
                    ref,
                    projectId,
                    schema,
                    url,
                    restUrl,
                    authUrl,
                    storageUrl,
                    realtimeUrl,
                    graphqlUrl,
                    functionsUrl,
                    anonKey,
                    incarnation,
                    masterKeyVersion,
                    keys,
                    database,
                    companionVersion,
                    secretName,
                    verifyKeys,
                    authSecrets,
                    realtime);
        }
    }
}
