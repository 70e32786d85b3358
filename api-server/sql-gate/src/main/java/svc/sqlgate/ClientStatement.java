package svc.sqlgate;

/** Statements that are open to clients of PostgreSQL's protocol alone, each only where its caller asks for it. */
public enum ClientStatement {
    /** COPY, whose rows travel beside the script: it must be the script's only statement. */
    COPY,
    /** PREPARE, EXECUTE and DEALLOCATE, within one script. */
    PREPARE
}
