package svc.platform.tenancy;

import java.util.List;
import java.util.Optional;
import svc.crds.project.ActiveVerifyKey;
import svc.crds.project.auth.JwtSpec;
import svc.crds.project.auth.VerifyKeyType;

/**
 * What a project decides about the tokens it accepts, {@code Project.spec.auth.jwt}.
 *
 * @param audience what a token's {@code aud} must name if it has one; empty to accept any
 * @param verifyKeys keys that tokens from elsewhere may be signed with
 */
public record TokenSettings(Optional<String> audience, List<VerifyKey> verifyKeys) {
    public TokenSettings {
        verifyKeys = List.copyOf(verifyKeys);
    }

    /**
     * A key from elsewhere.
     *
     * @param url where a key set is published
     * @param sealed a secret or a key set, for {@code Purpose.SEALED}; exactly one of the two is there
     */
    public record VerifyKey(String name, VerifyKeyType type, Optional<String> url, Optional<String> sealed) {
        static VerifyKey of(ActiveVerifyKey key) {
            return new VerifyKey(
                    key.name(), key.type(), Optional.ofNullable(key.url()), Optional.ofNullable(key.sealed()));
        }
    }

    static TokenSettings of(JwtSpec spec, List<ActiveVerifyKey> keys) {
        return new TokenSettings(
                Optional.ofNullable(spec.audience()),
                keys == null
                        ? List.of()
                        : keys.stream()
                                // One that has neither is not settled yet.
                                .filter(key -> key.url() != null || key.sealed() != null)
                                .map(VerifyKey::of)
                                .toList());
    }

    /** Only the project's own tokens. */
    public static TokenSettings own() {
        return new TokenSettings(Optional.empty(), List.of());
    }
}
