package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a key for foreign tokens is. */
public enum VerifyKeyType {
    /** A shared secret of 32 characters at least. */
    @JsonProperty("HS256")
    HS256,
    /** A set of public keys. */
    @JsonProperty("JWKS")
    JWKS
}
