package svc.auth.model;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A row of {@code auth.mfa_challenges}, as a verification reads it.
 *
 * @param answered whether a code was accepted for it
 * @param sameAddress whether it was created from the address that verifies
 * @param sealedCode of a message; empty for an authenticator app
 * @param lastStep the newest TOTP step that was accepted for any challenge of the factor
 */
public record FactorChallenge(
        boolean answered, boolean sameAddress, Timestamp created, Optional<String> sealedCode, OptionalLong lastStep) {}
