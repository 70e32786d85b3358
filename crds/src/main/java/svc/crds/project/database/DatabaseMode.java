package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The placement of a project's database. */
public enum DatabaseMode {
    /** A schema in a database that many projects share. */
    @JsonProperty("Shared")
    SHARED,
    /** A separate database. */
    @JsonProperty("Dedicated")
    DEDICATED
}
