package svc.management.supabase;

/**
 * An answer that Supabase's own programs read in another shape: with refs of 20 letters, and with members that they insist on.
 */
public interface SupabaseShape {
    /** The same in their shape. */
    Object forSupabase(Deployment deployment);

    /**
     * What their shapes have of the deployment.
     *
     * @param region of all projects
     * @param dataHost below which each project has its host
     */
    record Deployment(String region, String dataHost) {
        /** The host on which Supabase's programs look for a project's database: where a deployment offers that, it is there. */
        public String databaseHost(String spelledRef) {
            return "db." + spelledRef + "." + dataHost;
        }
    }
}
