package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The type of a key that verifies tokens of other issuers. */
public enum VerifyKeyType {
    /** A shared secret of at least 32 characters. */
    @JsonProperty("HS256")
    HS256,
    /** A set of public keys. */
    @JsonProperty("JWKS")
    JWKS
}
