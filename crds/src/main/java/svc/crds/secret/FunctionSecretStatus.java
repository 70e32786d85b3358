package svc.crds.secret;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import svc.crds.condition.Condition;

/** The observed state of the variable. Does not contain the value. */
@JsonClassDescription("What became of the variable. Written by the operator.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionSecretStatus(
        @Min(0) @JsonPropertyDescription("metadata.generation that this status reflects.")
        Long observedGeneration,

        @Size(max = 16) @JsonPropertyDescription("ValueFound and Applied; Ready summarizes them.")
        List<Condition> conditions,

        @Size(max = 71)
        @JsonPropertyDescription("Keyed digest of the current value; changes with it and does not reveal it.")
        String digest) {

    public FunctionSecretStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /** An empty status. */
    public static FunctionSecretStatus empty() {
        return new FunctionSecretStatus(null, null, null);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds a status field by field. */
    public static final class Builder {
        private Long observedGeneration;
        private List<Condition> conditions;
        private String digest;

        private Builder(FunctionSecretStatus from) {
            this.observedGeneration = from.observedGeneration;
            this.conditions = from.conditions;
            this.digest = from.digest;
        }

        public Builder observedGeneration(Long observedGeneration) {
            this.observedGeneration = observedGeneration;
            return this;
        }

        public Builder conditions(List<Condition> conditions) {
            this.conditions = conditions;
            return this;
        }

        public Builder digest(String digest) {
            this.digest = digest;
            return this;
        }

        public FunctionSecretStatus build() {
            return new FunctionSecretStatus(observedGeneration, conditions, digest);
        }
    }
}
