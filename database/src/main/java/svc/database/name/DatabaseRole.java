package svc.database.name;

import java.util.Optional;
import java.util.Set;

/**
 * The roles of one project: one login per level of right, and no login a member of another level. A level that could
 * become another one by SET ROLE would hand that step to tenant code as well, because a function may run SET ROLE. So a
 * login may become a role that has fewer rights, and no other.
 */
public enum DatabaseRole {
    /**
     * SQL endpoint and migrations; owns what the tenant makes. May become {@link #ANON} or {@link #AUTHENTICATED} to try
     * policies, and runs no DDL while it is one of them. Row security does not hold for it, as not for Supabase's {@code
     * postgres}: so FORCE ROW LEVEL SECURITY leaves its SECURITY DEFINER functions their rows. Of the platform's tables it sees
     * what it is granted; nothing may be kept from an owner by a policy.
     */
    OWNER("owner", true, true),
    /** Data plane with the anon key or a user's token; may become {@link #ANON} or {@link #AUTHENTICATED}, inherits nothing. */
    API("api", true, false),
    /** What policies and grants name for callers without a user. */
    ANON("anon", false, false),
    /** What policies and grants name for signed-in users. */
    AUTHENTICATED("authenticated", false, false),
    /** Data plane with the service-role key: DML past row security, not the owner's rights. */
    SERVICE("service", true, true),
    /** Our auth, storage and realtime code: DML on the companions, nothing on the project's schema. */
    SYSTEM("system", true, true);

    private final String suffix;
    private final boolean login;
    private final boolean bypassesRowSecurity;

    DatabaseRole(String suffix, boolean login, boolean bypassesRowSecurity) {
        this.suffix = suffix;
        this.login = login;
        this.bypassesRowSecurity = bypassesRowSecurity;
    }

    /** The last part of the role's name, without the underscore. */
    public String suffix() {
        return suffix;
    }

    /** Whether the role has a password and may connect. */
    public boolean login() {
        return login;
    }

    /** Whether the role has BYPASSRLS. */
    public boolean bypassesRowSecurity() {
        return bypassesRowSecurity;
    }

    /** The roles this one may become by SET ROLE; it inherits the rights of none. */
    public Set<DatabaseRole> mayBecome() {
        return this == API || this == OWNER ? Set.of(ANON, AUTHENTICATED) : Set.of();
    }

    static Optional<DatabaseRole> ofSuffix(String suffix) {
        for (DatabaseRole role : values()) {
            if (role.suffix.equals(suffix)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
