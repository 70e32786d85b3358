package svc.management.branch;

import svc.database.name.SupabaseRef;
import svc.management.project.ProjectState;
import svc.management.supabase.SupabaseShape;

/**
 * The project of a branch with the members that it has in Supabase's Management API. A user and a password of the database are
 * left out, as they may be: there are none to hand out.
 */
record SupabaseBranch(
        String ref,
        String postgresVersion,
        String postgresEngine,
        String releaseChannel,
        ProjectState status,
        String dbHost,
        int dbPort) {
    private static final int PORT = 5432;

    static SupabaseBranch of(BranchBodies.Detail branch, SupabaseShape.Deployment deployment) {
        String ref = SupabaseRef.of(branch.ref());
        return new SupabaseBranch(
                ref,
                branch.postgresEngine(),
                branch.postgresEngine(),
                branch.releaseChannel(),
                branch.status(),
                deployment.databaseHost(ref),
                PORT);
    }
}
