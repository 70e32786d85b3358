package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a project lives. */
public enum DatabaseMode {
    /** A schema in a database that many projects share. */
    @JsonProperty("Shared")
    SHARED,
    /** A database of its own. */
    @JsonProperty("Dedicated")
    DEDICATED
}
