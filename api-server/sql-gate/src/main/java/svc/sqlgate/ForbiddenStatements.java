package svc.sqlgate;

import java.util.Map;

/** What is said of statements that are not on the allow-list: what they are called, and what to do instead. */
final class ForbiddenStatements {
    private static final String ONE_TRANSACTION =
            "The whole script runs in one transaction that the platform begins and ends: BEGIN and COMMIT in pairs are left"
                    + " out, ROLLBACK and SAVEPOINT are refused. A PL/pgSQL block with EXCEPTION undoes a part.";
    private static final String PLATFORM = "It belongs to the platform, not to a project.";
    private static final String ROLES =
            "A project's roles are fixed: anon, authenticated and service_role. Grant rights to these.";
    private static final String SCHEMA = "A project has one schema, which exists already. Leave the statement out.";
    private static final String OUTSIDE = "SQL here reaches no other server.";
    private static final String CHANNEL = "Use realtime to send and receive messages.";
    private static final String CURSOR = "Run the query itself; its rows are the answer.";
    private static final String PREPARED = "Run the statement itself.";

    private record Told(String name, String hint) {}

    private static final Map<String, Told> TOLD = Map.ofEntries(
            Map.entry("TransactionStmt", new Told("transaction control", ONE_TRANSACTION)),
            Map.entry(
                    "CopyStmt", new Told("COPY", "Use INSERT … VALUES, or INSERT … SELECT FROM json_to_recordset(…).")),
            Map.entry("CreateRoleStmt", new Told("CREATE ROLE", ROLES)),
            Map.entry("AlterRoleStmt", new Told("ALTER ROLE", ROLES)),
            Map.entry("AlterRoleSetStmt", new Told("ALTER ROLE … SET", ROLES)),
            Map.entry("DropRoleStmt", new Told("DROP ROLE", ROLES)),
            Map.entry("GrantRoleStmt", new Told("a grant of role membership", ROLES)),
            Map.entry("DropOwnedStmt", new Told("DROP OWNED", "Drop the objects by name.")),
            Map.entry("ReassignOwnedStmt", new Told("REASSIGN OWNED", "All objects belong to the project's owner.")),
            Map.entry("AlterOwnerStmt", new Told("a change of owner", "All objects belong to the project's owner.")),
            Map.entry("CreateSchemaStmt", new Told("CREATE SCHEMA", SCHEMA)),
            Map.entry("CreatedbStmt", new Told("CREATE DATABASE", PLATFORM)),
            Map.entry("DropdbStmt", new Told("DROP DATABASE", PLATFORM)),
            Map.entry("AlterDatabaseStmt", new Told("ALTER DATABASE", PLATFORM)),
            Map.entry("AlterDatabaseSetStmt", new Told("ALTER DATABASE … SET", PLATFORM)),
            Map.entry("AlterSystemStmt", new Told("ALTER SYSTEM", PLATFORM)),
            Map.entry("CreateTableSpaceStmt", new Told("CREATE TABLESPACE", PLATFORM)),
            Map.entry("DropTableSpaceStmt", new Told("DROP TABLESPACE", PLATFORM)),
            Map.entry("CreateEventTrigStmt", new Told("CREATE EVENT TRIGGER", PLATFORM)),
            Map.entry("AlterEventTrigStmt", new Told("ALTER EVENT TRIGGER", PLATFORM)),
            Map.entry("CreatePLangStmt", new Told("CREATE LANGUAGE", "Functions are written in sql or plpgsql.")),
            Map.entry("LoadStmt", new Told("LOAD", PLATFORM)),
            Map.entry("CheckPointStmt", new Told("CHECKPOINT", PLATFORM)),
            Map.entry("DiscardStmt", new Told("DISCARD", "Every call has a session of its own.")),
            Map.entry("ListenStmt", new Told("LISTEN", CHANNEL)),
            Map.entry("UnlistenStmt", new Told("UNLISTEN", CHANNEL)),
            Map.entry("NotifyStmt", new Told("NOTIFY", CHANNEL)),
            Map.entry("CreateForeignServerStmt", new Told("CREATE SERVER", OUTSIDE)),
            Map.entry("AlterForeignServerStmt", new Told("ALTER SERVER", OUTSIDE)),
            Map.entry("CreateFdwStmt", new Told("CREATE FOREIGN DATA WRAPPER", OUTSIDE)),
            Map.entry("CreateForeignTableStmt", new Told("CREATE FOREIGN TABLE", OUTSIDE)),
            Map.entry("CreateUserMappingStmt", new Told("CREATE USER MAPPING", OUTSIDE)),
            Map.entry("ImportForeignSchemaStmt", new Told("IMPORT FOREIGN SCHEMA", OUTSIDE)),
            Map.entry("CreateSubscriptionStmt", new Told("CREATE SUBSCRIPTION", OUTSIDE)),
            Map.entry("AlterSubscriptionStmt", new Told("ALTER SUBSCRIPTION", OUTSIDE)),
            Map.entry("DropSubscriptionStmt", new Told("DROP SUBSCRIPTION", OUTSIDE)),
            Map.entry("DeclareCursorStmt", new Told("DECLARE CURSOR", CURSOR)),
            Map.entry("FetchStmt", new Told("FETCH", CURSOR)),
            Map.entry("ClosePortalStmt", new Told("CLOSE", CURSOR)),
            Map.entry("PrepareStmt", new Told("PREPARE", PREPARED)),
            Map.entry("ExecuteStmt", new Told("EXECUTE", PREPARED)),
            Map.entry("DeallocateStmt", new Told("DEALLOCATE", PREPARED)),
            Map.entry("SecLabelStmt", new Told("SECURITY LABEL", PLATFORM)),
            Map.entry("CreateCastStmt", new Told("CREATE CAST", "A cast would hold for the whole database.")),
            Map.entry("RuleStmt", new Told("CREATE RULE", "Use a trigger or a view.")));

    private ForbiddenStatements() {}

    /** @param kind the grammar's name of a statement that is not allowed where it stands */
    static Finding of(String kind) {
        Told told = TOLD.get(kind);
        return told == null
                ? Finding.statement(kind.replaceFirst("Stmt$", ""), "This kind of statement is not open to projects.")
                : Finding.statement(told.name(), told.hint());
    }

    /** @param name of a statement that runs outside of a transaction only, and is not alone */
    static Finding notAlone(String name) {
        return Finding.statement(
                name + " together with other statements",
                "It cannot run in a transaction, and every script is one: send it alone"
                        + (name.contains("CONCURRENTLY") ? ", or leave CONCURRENTLY out." : "."));
    }
}
