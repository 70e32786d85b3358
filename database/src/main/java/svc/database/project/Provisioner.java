package svc.database.project;

import svc.database.sql.SqlFragment;

/** With which rights a project is provisioned: what can be seen and said differs, what is to be true does not. */
public enum Provisioner {
    /** A superuser, as every shared database needs. */
    SUPERUSER(SqlFragment.of("pg_authid"), SqlFragment.of("0::oid")),
    /**
     * A login with CREATEROLE and BYPASSRLS that may create schemas, the most that a managed server gives. It sees no
     * verifier, so the hash of the one it set is kept in {@code svc_guard.setting}: a password that somebody else sets is
     * not found out. It holds the roles it made, because only who has a role may give its objects away. It cannot set
     * {@code temp_file_limit}, and it cannot take an attribute away that it does not have itself.
     */
    ROLE_CREATOR(SqlFragment.of("""
            (SELECT r.oid, r.rolcanlogin, r.rolinherit, r.rolbypassrls, r.rolsuper, r.rolcreatedb, r.rolcreaterole,
                 r.rolreplication, r.rolconnlimit, r.rolvaliduntil,
                 (SELECT s.value FROM svc_guard.setting s WHERE s.name = 'verifier of ' || r.rolname) AS rolpassword
             FROM pg_roles r)"""), SqlFragment.of("current_user::regrole::oid"));

    private final SqlFragment logins;
    private final SqlFragment self;

    Provisioner(SqlFragment logins, SqlFragment self) {
        this.logins = logins;
        this.self = self;
    }

    /** A relation with the columns of pg_authid. */
    SqlFragment logins() {
        return logins;
    }

    /** The oid of the login whose own memberships are no business of the project; zero for none. */
    SqlFragment self() {
        return self;
    }
}
