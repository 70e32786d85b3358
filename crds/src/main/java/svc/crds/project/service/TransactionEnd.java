package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a REST request ends its transaction. */
public enum TransactionEnd {
    @JsonProperty("Commit")
    COMMIT,
    /** Commit, unless the request prefers rollback. */
    @JsonProperty("CommitAllowOverride")
    COMMIT_ALLOW_OVERRIDE,
    @JsonProperty("Rollback")
    ROLLBACK,
    /** Roll back, unless the request prefers commit. */
    @JsonProperty("RollbackAllowOverride")
    ROLLBACK_ALLOW_OVERRIDE
}
