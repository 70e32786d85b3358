package svc.management.project;

import java.time.Instant;
import svc.database.name.SupabaseRef;
import svc.management.supabase.SupabaseShape;

/** A project with exactly the members that it has in Supabase's Management API. */
record SupabaseProject(
        String id,
        String ref,
        String organizationId,
        String organizationSlug,
        String name,
        String region,
        Instant createdAt,
        ProjectState status,
        Database database) {
    /** The release that every project here has, as Supabase writes it. */
    private static final String VERSION = "17";

    /** @param host of the project's endpoint for PostgreSQL's protocol, where the deployment has one */
    record Database(String host, String version, String postgresEngine, String releaseChannel) {}

    static SupabaseProject of(ProjectBodies.View project, SupabaseShape.Deployment deployment) {
        String ref = SupabaseRef.of(project.ref());
        return new SupabaseProject(
                ref,
                ref,
                project.organizationId(),
                project.organizationSlug(),
                project.name(),
                deployment.region(),
                project.createdAt(),
                project.status(),
                new Database(deployment.databaseHost(ref), VERSION, VERSION, "ga"));
    }
}
