package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The naming of the companion schemas. */
public enum DatabaseLayout {
    /** Named after the project: proj_..._auth and so on. */
    @JsonProperty("Shared")
    SHARED,
    /** auth, storage, realtime. */
    @JsonProperty("Dedicated")
    DEDICATED,
    /** An adopted database without companion schemas. */
    @JsonProperty("Adopted")
    ADOPTED
}
