package svc.crds.condition;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a condition holds. Unknown says that nobody has looked yet, or that looking failed. */
public enum ConditionStatus {
    @JsonProperty("True")
    TRUE,
    @JsonProperty("False")
    FALSE,
    @JsonProperty("Unknown")
    UNKNOWN
}
