package svc.management.branch;

/** How far a branch is, in the enumeration of Supabase's Management API. */
public enum BranchStatus {
    CREATING_PROJECT,
    RUNNING_MIGRATIONS,
    MIGRATIONS_PASSED,
    MIGRATIONS_FAILED;

    /** Whether work on the branch goes on. */
    boolean isRunning() {
        return this == CREATING_PROJECT || this == RUNNING_MIGRATIONS;
    }
}
