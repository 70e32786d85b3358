package svc.rest;

import java.util.Optional;
import svc.crds.project.service.TransactionEnd;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** A project whose tables a test makes itself, and a second entrance to it with other settings. */
public final class WritingFixture implements AutoCloseable {
    private final TestingProjects projects = TestingProjects.create();
    private final TestingDataPlane plane = new TestingDataPlane(projects, PoolSettings.defaults(), true);
    private final Tenant tenant;
    private Tenant other;

    private WritingFixture(String sql) {
        tenant = projects.project("writing1");
        asOwner(sql);
        plane.serve(tenant);
    }

    public static WritingFixture serve(String sql) {
        return new WritingFixture(sql);
    }

    /** The project with other settings, which {@link #askOther} asks. */
    public WritingFixture also(boolean plan, String preRequest, TransactionEnd end) {
        RestSettings own = tenant.rest();
        other = plane.serve(
                tenant,
                "writing2",
                new RestSettings(
                        own.exposedSchemas(),
                        own.extraSearchPath(),
                        own.maxRows(),
                        own.aggregates(),
                        plan,
                        Optional.ofNullable(preRequest),
                        end,
                        own.openapiMode(),
                        own.anonRole(),
                        own.roleClaim(),
                        own.enabled()));
        return this;
    }

    public Wire ask(String request) {
        return Wire.ask(plane, tenant, request);
    }

    public Wire askOther(String request) {
        return Wire.ask(plane, other, request);
    }

    public void asOwner(String sql) {
        projects.asOwner(tenant, sql);
    }

    /** The value of an expression; a dollar sign stands for the schema and a dot. */
    public String stored(String expression) {
        return projects.ask("SELECT " + expression.replace("$", tenant.names().schemaName() + "."));
    }

    public String schema() {
        return tenant.names().schemaName();
    }

    @Override
    public void close() {
        plane.close();
    }
}
