package svc.database.key;

import java.util.Base64;
import org.postgresql.util.PasswordUtil;

/**
 * The password of one database login and the verifier that PostgreSQL gets instead of it. The salt is derived as well, so
 * the verifier of a leaf never changes and a changed password shows as a difference of strings.
 */
public final class LoginSecret {
    /**
     * PostgreSQL's default and the least that RFC 7677 allows. More would only slow logins down: the password is 256
     * random bits, which no number of iterations makes harder to guess.
     */
    static final int SCRAM_ITERATIONS = 4096;

    private static final int SALT_BYTES = 16;

    private final KeyLeaf leaf;

    private LoginSecret(KeyLeaf leaf) {
        this.leaf = leaf;
    }

    /** For the purposes of logins, of projects and of the platform; others are refused. */
    public static LoginSecret of(KeyLeaf leaf) {
        switch (leaf.purpose()) {
            case OWNER, API, SERVICE, SYSTEM -> {}
            case LOGIN_OPERATOR, LOGIN_CATALOG, LOGIN_REPLICATION, LOGIN_PLATFORM -> {}
            default -> throw new IllegalArgumentException(leaf.purpose() + " is not a login");
        }
        return new LoginSecret(leaf);
    }

    /** 43 characters of base64url, so that SASLprep leaves it as it is. Compute where it is used; do not keep. */
    public String password() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(leaf.material("password", Derivation.KEY_BYTES));
    }

    /** {@code SCRAM-SHA-256$4096:<salt>$<stored key>:<server key>}; takes about a millisecond of one core. */
    public String scramVerifier() {
        return PasswordUtil.encodeScramSha256(
                password().toCharArray(), SCRAM_ITERATIONS, leaf.material("scram-salt", SALT_BYTES));
    }

    @Override
    public String toString() {
        return "LoginSecret[" + leaf.purpose() + "]";
    }
}
