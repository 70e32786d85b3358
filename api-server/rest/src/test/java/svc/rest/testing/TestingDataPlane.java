package svc.rest.testing;

import svc.catalog.TestingSchema;
import svc.catalog.TestingService;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.RestRequestHandler;
import svc.testing.TestingProjects;

/** The REST service behind a real HTTP server. */
public final class TestingDataPlane extends TestingService {
    public TestingDataPlane(TestingProjects projects, PoolSettings settings, boolean listening) {
        super(projects, settings, listening, RestRequestHandler::new);
    }

    /** Serves the project of a schema. */
    public static TestingDataPlane of(TestingSchema schema) {
        var plane = new TestingDataPlane(schema.projects(), PoolSettings.defaults(), false);
        plane.serve(schema.tenant());
        return plane;
    }

    /** Serves a project a second time, under another ref and with other settings. */
    public Tenant serve(Tenant tenant, String ref, RestSettings rest) {
        var other = new Tenant(
                ref,
                tenant.names(),
                tenant.scope(),
                tenant.masterKeyVersion(),
                tenant.keyVersions(),
                tenant.database(),
                tenant.organization(),
                tenant.restUrl(),
                rest);
        serve(other);
        return other;
    }
}
