package svc.crds.condition;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The status of a condition. Unknown: not evaluated yet, or the evaluation failed. */
public enum ConditionStatus {
    @JsonProperty("True")
    TRUE,
    @JsonProperty("False")
    FALSE,
    @JsonProperty("Unknown")
    UNKNOWN
}
