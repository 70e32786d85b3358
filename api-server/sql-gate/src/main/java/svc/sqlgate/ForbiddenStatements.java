package svc.sqlgate;

import java.util.Map;

/** Names and hints for statements that are not on the allow-list. */
final class ForbiddenStatements {
    private static final String ONE_TRANSACTION =
            "The whole script runs in one transaction that the platform begins and ends: BEGIN and COMMIT in pairs are left"
                    + " out, ROLLBACK and SAVEPOINT are refused. A PL/pgSQL block with EXCEPTION undoes a part.";
    private static final String PLATFORM = "It belongs to the platform, not to a project.";
    private static final String ROLES =
            "A project's roles are fixed: anon, authenticated and service_role. Grant rights to these.";
    private static final String ROLE_SETTINGS =
            "A project's roles are fixed: anon, authenticated and service_role. pgrst.* of authenticator are settings of the REST"
                    + " API: PATCH /v1/projects/{ref}/postgrest, or spec.rest. A time limit for a function is its own SET"
                    + " statement_timeout clause.";
    private static final String DATABASE_SETTINGS =
            "The database belongs to the platform. Keep values in a table that only the owner reads, behind a SECURITY DEFINER"
                    + " function, or give a function a clause SET \"app.name\" = 'value'.";
    private static final String RULE =
            "Use a trigger or a view: BEFORE triggers change or skip rows, INSTEAD OF triggers make a view writable, and REVOKE"
                    + " closes a table to writes.";
    private static final String SCHEMA =
            "Every project has this schema: leave the statement out, or write IF NOT EXISTS. Those of an adopted database are"
                    + " its administrator's.";
    private static final String OUTSIDE = "SQL here reaches no other server.";
    private static final String CHANNEL = "Use realtime to send and receive messages.";
    private static final String PREPARED = "Run the statement itself.";

    private record Refusal(String name, String hint) {}

    private static final Map<String, Refusal> REFUSALS = Map.ofEntries(
            Map.entry("TransactionStmt", new Refusal("transaction control", ONE_TRANSACTION)),
            Map.entry(
                    "CopyStmt",
                    new Refusal(
                            "COPY",
                            "Use INSERT … VALUES, or INSERT … SELECT FROM json_to_recordset(…). The PostgreSQL endpoint has"
                                    + " COPY … FROM STDIN and TO STDOUT.")),
            Map.entry("CreateRoleStmt", new Refusal("CREATE ROLE", ROLES)),
            Map.entry("AlterRoleStmt", new Refusal("ALTER ROLE", ROLES)),
            Map.entry("AlterRoleSetStmt", new Refusal("ALTER ROLE … SET", ROLE_SETTINGS)),
            Map.entry("DropRoleStmt", new Refusal("DROP ROLE", ROLES)),
            Map.entry("GrantRoleStmt", new Refusal("a grant of role membership", ROLES)),
            Map.entry("DropOwnedStmt", new Refusal("DROP OWNED", "Drop the objects by name.")),
            Map.entry("ReassignOwnedStmt", new Refusal("REASSIGN OWNED", "All objects belong to the project's owner.")),
            Map.entry("AlterOwnerStmt", new Refusal("a change of owner", "All objects belong to the project's owner.")),
            Map.entry("CreateSchemaStmt", new Refusal("CREATE SCHEMA", SCHEMA)),
            Map.entry("CreatedbStmt", new Refusal("CREATE DATABASE", PLATFORM)),
            Map.entry("DropdbStmt", new Refusal("DROP DATABASE", PLATFORM)),
            Map.entry("AlterDatabaseStmt", new Refusal("ALTER DATABASE", PLATFORM)),
            Map.entry("AlterDatabaseSetStmt", new Refusal("ALTER DATABASE … SET", DATABASE_SETTINGS)),
            Map.entry("AlterSystemStmt", new Refusal("ALTER SYSTEM", PLATFORM)),
            Map.entry("CreateTableSpaceStmt", new Refusal("CREATE TABLESPACE", PLATFORM)),
            Map.entry("DropTableSpaceStmt", new Refusal("DROP TABLESPACE", PLATFORM)),
            Map.entry("CreateEventTrigStmt", new Refusal("CREATE EVENT TRIGGER", PLATFORM)),
            Map.entry("AlterEventTrigStmt", new Refusal("ALTER EVENT TRIGGER", PLATFORM)),
            Map.entry("CreatePLangStmt", new Refusal("CREATE LANGUAGE", "Functions are written in sql or plpgsql.")),
            Map.entry("LoadStmt", new Refusal("LOAD", PLATFORM)),
            Map.entry("CheckPointStmt", new Refusal("CHECKPOINT", PLATFORM)),
            Map.entry("DiscardStmt", new Refusal("DISCARD", "Every call has a session of its own.")),
            Map.entry("ListenStmt", new Refusal("LISTEN", CHANNEL)),
            Map.entry("UnlistenStmt", new Refusal("UNLISTEN", CHANNEL)),
            Map.entry("NotifyStmt", new Refusal("NOTIFY", CHANNEL)),
            Map.entry("CreateForeignServerStmt", new Refusal("CREATE SERVER", OUTSIDE)),
            Map.entry("AlterForeignServerStmt", new Refusal("ALTER SERVER", OUTSIDE)),
            Map.entry("CreateFdwStmt", new Refusal("CREATE FOREIGN DATA WRAPPER", OUTSIDE)),
            Map.entry("CreateForeignTableStmt", new Refusal("CREATE FOREIGN TABLE", OUTSIDE)),
            Map.entry("CreateUserMappingStmt", new Refusal("CREATE USER MAPPING", OUTSIDE)),
            Map.entry("ImportForeignSchemaStmt", new Refusal("IMPORT FOREIGN SCHEMA", OUTSIDE)),
            Map.entry("CreateSubscriptionStmt", new Refusal("CREATE SUBSCRIPTION", OUTSIDE)),
            Map.entry("AlterSubscriptionStmt", new Refusal("ALTER SUBSCRIPTION", OUTSIDE)),
            Map.entry("DropSubscriptionStmt", new Refusal("DROP SUBSCRIPTION", OUTSIDE)),
            Map.entry("PrepareStmt", new Refusal("PREPARE", PREPARED)),
            Map.entry("ExecuteStmt", new Refusal("EXECUTE", PREPARED)),
            Map.entry("DeallocateStmt", new Refusal("DEALLOCATE", PREPARED)),
            Map.entry("SecLabelStmt", new Refusal("SECURITY LABEL", PLATFORM)),
            Map.entry("CreateCastStmt", new Refusal("CREATE CAST", "A cast would hold for the whole database.")),
            Map.entry("RuleStmt", new Refusal("CREATE RULE", RULE)));

    /** What the grammar's names of statements end with. */
    private static final String STATEMENT = "Stmt";

    private ForbiddenStatements() {}

    /** @param kind the grammar's name of a statement that is not allowed where it stands */
    static Finding of(String kind) {
        Refusal refusal = REFUSALS.get(kind);
        return refusal == null
                ? Finding.statement(
                        kind.endsWith(STATEMENT) ? kind.substring(0, kind.length() - STATEMENT.length()) : kind,
                        "This kind of statement is not open to projects.")
                : Finding.statement(refusal.name(), refusal.hint());
    }

    /** @param name of a statement that runs outside of a transaction only, and is not alone */
    static Finding notAlone(String name) {
        return Finding.statement(
                name + " together with other statements",
                "It cannot run in a transaction, and every script is one: send it alone"
                        + (name.contains("CONCURRENTLY") ? ", or leave CONCURRENTLY out." : "."));
    }
}
