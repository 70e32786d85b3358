package svc.operator.project.database;

/**
 * Why a database could not do what was asked. The name of a constant in CamelCase is the reason of a condition, so it is part
 * of the API and does not change.
 */
public enum FailureReason {
    DATABASE_UNREACHABLE("DatabaseUnreachable", true, "cannot be reached"),
    AUTHENTICATION_FAILED("AuthenticationFailed", false, "refuses the operator's login or password"),
    DATABASE_MISSING("DatabaseMissing", false, "does not exist on its server"),
    DISK_FULL("DiskFull", true, "has no disk space left"),
    TOO_MANY_CONNECTIONS("TooManyConnections", true, "has no connection left"),
    OUT_OF_MEMORY("OutOfMemory", true, "is out of memory or of room for locks"),
    READ_ONLY("DatabaseReadOnly", true, "accepts no writes, as a standby does"),
    INSUFFICIENT_PRIVILEGE("InsufficientPrivilege", false, "does not give the operator the rights it needs"),
    NOT_PREPARED("DatabaseNotPrepared", false, "lacks a role, schema or function that its preparation makes"),
    BUSY("DatabaseBusy", true, "was busy with a conflicting change"),
    COMPANION_ALTERED("CompanionAltered", false, "holds a companion that was altered by hand"),
    MASTER_KEY_MISSING("MasterKeyMissing", false, "holds a project whose master key version is not configured"),
    CONNECTION_SECRET_MISSING("ConnectionSecretMissing", true, "cannot be reached"),
    CONNECTION_SECRET_INVALID("ConnectionSecretInvalid", true, "cannot be reached"),
    LOGIN_TOO_POWERFUL("LoginTooPowerful", false, "cannot be adopted with this login"),
    ROLE_MISSING("RoleMissing", false, "cannot be adopted with this role"),
    SERVER_TOO_OLD("ServerTooOld", false, "cannot hold a project"),
    SERVER_NOT_TRUSTED("ServerNotTrusted", true, "does not prove who it is"),
    DATABASE_IN_USE("DatabaseInUse", false, "holds something else"),
    PROJECT_MISSING("ProjectMissing", false, "does not hold this project"),
    PROJECT_IN_OTHER_DATABASE("ProjectInOtherDatabase", false, "is not where this project is"),
    UNEXPECTED("DatabaseError", true, "answered with an error");

    private final String conditionReason;
    private final boolean transientByNature;
    private final String phrase;

    FailureReason(String conditionReason, boolean transientByNature, String phrase) {
        this.conditionReason = conditionReason;
        this.transientByNature = transientByNature;
        this.phrase = phrase;
    }

    /** For a condition or an event. */
    public String conditionReason() {
        return conditionReason;
    }

    /** Whether time alone may mend it; otherwise somebody has to do something, and retries only wait for that. */
    public boolean retryable() {
        return transientByNature;
    }

    /** What is wrong, as the end of a sentence that begins with the database's name. */
    String phrase() {
        return phrase;
    }
}
