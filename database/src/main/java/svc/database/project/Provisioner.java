package svc.database.project;

import svc.database.sql.SqlFragment;

/** The privileges of the provisioning login. They change how facts are read and written, not the desired facts. */
public enum Provisioner {
    /** A superuser, as every shared database needs. */
    SUPERUSER(SqlFragment.of("pg_authid"), SqlFragment.of("0::oid")),
    /**
     * A login with CREATEROLE and BYPASSRLS that may create schemas, the maximum on a managed server. It cannot read
     * verifiers, so {@code svc_guard.setting} stores the hash of the one it set: a password that another login sets is not
     * detected. It is a member of the roles that it created, because only a member of a role may change the owner of its
     * objects. It cannot set {@code temp_file_limit}, and cannot remove an attribute that it does not have itself.
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

    /** The oid of the login whose own memberships are not facts of the project; zero for none. */
    SqlFragment self() {
        return self;
    }
}
