package svc.auth.model;

import java.util.Optional;
import java.util.UUID;

/**
 * A row of {@code auth.mfa_factors}.
 *
 * @param verified whether the user has proved it once; an unverified factor protects nothing
 * @param phone of a phone factor, E.164 without the plus
 * @param sealedSecret of a TOTP factor; read only where a code is checked
 */
public record Factor(
        UUID id,
        Optional<String> friendlyName,
        Type type,
        boolean verified,
        Optional<String> phone,
        Optional<String> sealedSecret,
        Optional<Timestamp> created,
        Optional<Timestamp> updated,
        Optional<Timestamp> lastChallenged) {
    /** GoTrue's types. */
    public enum Type {
        TOTP("totp", "totp"),
        PHONE("phone", "mfa/phone"),
        /** Rows that were imported from Supabase; none can be enrolled. */
        WEBAUTHN("webauthn", "mfa/webauthn");

        private final String word;
        private final String method;

        Type(String word, String method) {
            this.word = word;
            this.method = method;
        }

        /** As rows and answers name it. */
        public String word() {
            return word;
        }

        /** As the claim {@code amr} names a verification. */
        public String method() {
            return method;
        }

        public static Optional<Type> of(String word) {
            for (Type type : values()) {
                if (type.word.equals(word)) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }
    }

    public boolean isPhone() {
        return type == Type.PHONE;
    }

    /** Without number and secret. */
    @Override
    public String toString() {
        return "Factor[" + id + "]";
    }
}
