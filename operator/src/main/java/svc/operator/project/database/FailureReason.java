package svc.operator.project.database;

import svc.crds.project.ProjectCondition;

/** Why a database failed. The text in CamelCase is the reason of a condition and part of the API. */
public enum FailureReason {
    DATABASE_UNREACHABLE("DatabaseUnreachable", true, "is unreachable"),
    AUTHENTICATION_FAILED("AuthenticationFailed", false, "rejects the operator's login or password"),
    DATABASE_MISSING("DatabaseMissing", false, "does not exist on its server"),
    DISK_FULL("DiskFull", true, "has no disk space left"),
    TOO_MANY_CONNECTIONS("TooManyConnections", true, "has no free connection"),
    OUT_OF_MEMORY("OutOfMemory", true, "is out of memory or lock slots"),
    READ_ONLY("DatabaseReadOnly", true, "is read-only, as a standby is"),
    INSUFFICIENT_PRIVILEGE("InsufficientPrivilege", false, "does not grant the operator the privileges it needs"),
    NOT_PREPARED("DatabaseNotPrepared", false, "lacks a role, schema or function that its preparation creates"),
    BUSY("DatabaseBusy", true, "is busy with a conflicting change"),
    COMPANION_ALTERED("CompanionAltered", false, "contains a companion table that was altered manually"),
    MASTER_KEY_MISSING("MasterKeyMissing", false, "contains a project whose master key version is not configured"),
    CONNECTION_SECRET_MISSING("ConnectionSecretMissing", true, "has no connection Secret"),
    CONNECTION_SECRET_INVALID("ConnectionSecretInvalid", true, "has an invalid connection Secret"),
    LOGIN_TOO_POWERFUL("LoginTooPowerful", false, "cannot be adopted with this login"),
    ROLE_MISSING("RoleMissing", false, "cannot be adopted with this role"),
    SERVER_TOO_OLD("ServerTooOld", false, "cannot hold a project"),
    CONNECTION_FAILED(
            "ConnectionFailed",
            true,
            "cannot be reached, is in a network that the platform does not allow, or refuses the login: check host, port,"
                    + " dbname, user, password, sslmode and ca.crt of its connection Secret; the operator's log has the"
                    + " details"),
    DATABASE_IN_USE("DatabaseInUse", false, "is not empty"),
    PROJECT_MISSING("ProjectMissing", false, "does not contain this project"),
    PROJECT_IN_OTHER_DATABASE("ProjectInOtherDatabase", false, "is not the database of this project"),
    /** The watch on the server closed its logins; only its owner or an admin opens them again. */
    QUARANTINED(ProjectCondition.QUARANTINED, false, "has closed the project's logins"),
    UNEXPECTED("DatabaseError", true, "answered with an error");

    private final String conditionReason;
    private final boolean retryable;
    private final String phrase;

    FailureReason(String conditionReason, boolean retryable, String phrase) {
        this.conditionReason = conditionReason;
        this.retryable = retryable;
        this.phrase = phrase;
    }

    /** The reason of a condition or an Event. */
    public String conditionReason() {
        return conditionReason;
    }

    /** Whether a retry can succeed without an intervention. */
    public boolean retryable() {
        return retryable;
    }

    /** The predicate of a sentence whose subject is the database. */
    String phrase() {
        return phrase;
    }
}
