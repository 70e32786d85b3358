package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the schemas beside the project's own are named. */
public enum DatabaseLayout {
    /** By the project: proj_..._auth and so on. */
    @JsonProperty("Shared")
    SHARED,
    /** auth, storage, realtime. */
    @JsonProperty("Dedicated")
    DEDICATED,
    /** As the database had them: nothing was made in it. */
    @JsonProperty("Adopted")
    ADOPTED
}
