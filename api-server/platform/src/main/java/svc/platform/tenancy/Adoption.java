package svc.platform.tenancy;

import java.util.Optional;

/**
 * A database that was there before its project, served with its own logins. Their passwords are sealed ({@link
 * svc.database.key.SealedText}) for {@code Purpose.SEALED} and, the owner's, for {@code Purpose.OWNER}.
 *
 * @param user serves the API
 * @param owner runs SQL of the Management API; empty when the project gave none
 */
public record Adoption(SealedLogin user, Optional<SealedLogin> owner) {
    /** Of the leaf that seals. */
    public static final int KEY_VERSION = 1;

    /** A login and its password. */
    public record SealedLogin(String name, String sealedPassword) {}
}
