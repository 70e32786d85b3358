package svc.postgres.script;

import java.util.function.Supplier;

/**
 * The platform's login that may end the sessions of owners, and nothing else of theirs.
 *
 * @param password derives its password; asked for each connection
 */
public record PlatformLogin(String role, Supplier<String> password) {
    /** Without the password. */
    @Override
    public String toString() {
        return role;
    }
}
