package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to the data when the Project is deleted. */
public enum DeletionPolicy {
    /** Keeps data and identity for the same Project created again. Its logins are closed until then. */
    @JsonProperty("Retain")
    RETAIN,
    /** Drops all data and revokes the keys for good. */
    @JsonProperty("Delete")
    DELETE
}
