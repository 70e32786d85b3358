package svc.api.db.owner;

/**
 * Whose scripts run where.
 *
 * @param jdbcUrl the project's database, without credentials
 * @param role its owner's role, which is also the login
 */
public record OwnerLogin(String jdbcUrl, String role, String password) {
    /** Without the password. */
    @Override
    public String toString() {
        return role + " at " + jdbcUrl;
    }
}
