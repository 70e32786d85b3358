package svc.database.key;

import java.util.Base64;
import org.postgresql.util.PasswordUtil;

/**
 * The password of one database login and the verifier that PostgreSQL gets instead of it. The salt is derived as well, so
 * the verifier of a leaf never changes and a changed password shows as a difference of strings.
 */
public final class LoginSecret {
    /**
     * Iterations make guessing a weak password dearer. This one is 256 random bits, which no speed of guessing finds, so they
     * would only cost: with the usual 4096, every login spends milliseconds in the client, and the server as many on each
     * CREATE ROLE, half of the time that a whole project takes. PostgreSQL takes 1 and up ({@code scram_iterations}).
     */
    static final int SCRAM_ITERATIONS = 1;

    private static final int SALT_BYTES = 16;

    private final DerivedKey leaf;

    private LoginSecret(DerivedKey leaf) {
        this.leaf = leaf;
    }

    /** For the purposes of logins, of projects and of the platform; others are refused. */
    public static LoginSecret of(DerivedKey leaf) {
        switch (leaf.purpose()) {
            case OWNER, API, SERVICE, SYSTEM, REPLICATION -> {}
            case LOGIN_OPERATOR, LOGIN_CATALOG, LOGIN_REPLICATION, LOGIN_PLATFORM, LOGIN_EXTENSIONS -> {}
            default -> throw new IllegalArgumentException(leaf.purpose() + " is not a login");
        }
        return new LoginSecret(leaf);
    }

    /** 43 characters of base64url, so that SASLprep leaves it as it is. Compute where it is used; do not keep. */
    public String password() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(leaf.material("password", Derivation.KEY_BYTES));
    }

    /** {@code SCRAM-SHA-256$1:<salt>$<stored key>:<server key>}. */
    public String scramVerifier() {
        return PasswordUtil.encodeScramSha256(
                password().toCharArray(), SCRAM_ITERATIONS, leaf.material("scram-salt", SALT_BYTES));
    }

    @Override
    public String toString() {
        return "LoginSecret[" + leaf.purpose() + "]";
    }
}
