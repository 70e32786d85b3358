package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of the data when the Project is deleted. */
public enum DeletionPolicy {
    /** Data and identity stay; the same Project, created again, finds them. Its logins are closed meanwhile. */
    @JsonProperty("Retain")
    RETAIN,
    /** Everything is dropped, and its keys are dead for good. */
    @JsonProperty("Delete")
    DELETE
}
