package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the OpenAPI document lists. */
public enum OpenApiMode {
    /** The objects that the caller may use. */
    @JsonProperty("FollowPrivileges")
    FOLLOW_PRIVILEGES,
    /** All exposed objects. */
    @JsonProperty("IgnorePrivileges")
    IGNORE_PRIVILEGES,
    @JsonProperty("Disabled")
    DISABLED
}
