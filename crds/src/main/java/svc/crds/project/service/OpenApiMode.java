package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the OpenAPI document lists. */
public enum OpenApiMode {
    /** What the caller may use. */
    @JsonProperty("FollowPrivileges")
    FOLLOW_PRIVILEGES,
    /** Everything exposed. */
    @JsonProperty("IgnorePrivileges")
    IGNORE_PRIVILEGES,
    @JsonProperty("Disabled")
    DISABLED
}
