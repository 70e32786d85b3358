package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import svc.crds.condition.Condition;

/** The observed state of a function. */
@JsonClassDescription("What the function is. Written by the operator, but for bundle.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EdgeFunctionStatus(
        @Min(0) @JsonPropertyDescription("metadata.generation that this status reflects.")
        Long observedGeneration,

        @Size(max = 16) @JsonPropertyDescription("BundleReady and Available; Ready summarizes them.")
        List<Condition> conditions,

        @Size(max = 2048) @JsonPropertyDescription("URL of the function.")
        String url,

        @Min(0) @JsonPropertyDescription("Number of the serving version; increases with each change of the code.")
        Long version,

        @Size(max = 71) @JsonPropertyDescription("Content hash of the serving code.")
        String hash,

        @Min(0) @JsonPropertyDescription("Number of running processes.")
        Integer replicas,

        @JsonPropertyDescription("Result of bundling spec.source. Written by the control plane.")
        BundleStatus bundle,

        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = HISTORY)
        @JsonPropertyDescription("The most recent versions, newest first.")
        List<FunctionVersion> history) {

    /** Maximum length of the history. */
    public static final int HISTORY = 10;

    public EdgeFunctionStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        history = history == null ? List.of() : List.copyOf(history);
    }

    /** An empty status. */
    public static EdgeFunctionStatus empty() {
        return new EdgeFunctionStatus(null, null, null, null, null, null, null, null);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds a status field by field. */
    public static final class Builder {
        private Long observedGeneration;
        private List<Condition> conditions;
        private String url;
        private Long version;
        private String hash;
        private Integer replicas;
        private BundleStatus bundle;
        private List<FunctionVersion> history;

        private Builder(EdgeFunctionStatus from) {
            this.observedGeneration = from.observedGeneration;
            this.conditions = from.conditions;
            this.url = from.url;
            this.version = from.version;
            this.hash = from.hash;
            this.replicas = from.replicas;
            this.bundle = from.bundle;
            this.history = from.history;
        }

        public Builder observedGeneration(Long observedGeneration) {
            this.observedGeneration = observedGeneration;
            return this;
        }

        public Builder conditions(List<Condition> conditions) {
            this.conditions = conditions;
            return this;
        }

        public Builder url(String url) {
            this.url = url;
            return this;
        }

        public Builder version(Long version) {
            this.version = version;
            return this;
        }

        public Builder hash(String hash) {
            this.hash = hash;
            return this;
        }

        public Builder replicas(Integer replicas) {
            this.replicas = replicas;
            return this;
        }

        public Builder bundle(BundleStatus bundle) {
            this.bundle = bundle;
            return this;
        }

        public Builder history(List<FunctionVersion> history) {
            this.history = history;
            return this;
        }

        public EdgeFunctionStatus build() {
            return new EdgeFunctionStatus(
                    observedGeneration, conditions, url, version, hash, replicas, bundle, history);
        }
    }
}
