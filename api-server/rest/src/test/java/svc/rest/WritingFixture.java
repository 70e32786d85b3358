package svc.rest;

import java.util.Optional;
import svc.crds.project.service.TransactionEnd;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.rest.testing.SharedDataPlane;

/** A project with the tables of one test class, which can be served a second time with other settings. */
public final class WritingFixture {
    private final Tenant tenant;
    private Tenant other;

    private WritingFixture(String sql) {
        tenant = SharedDataPlane.project(sql);
    }

    public static WritingFixture serve(String sql) {
        return new WritingFixture(sql);
    }

    /** Serves the project with other settings too, for {@link #askOther}. */
    public WritingFixture also(boolean plan, String preRequest, TransactionEnd end) {
        RestSettings own = tenant.rest();
        other = SharedDataPlane.PLANE.serve(
                tenant,
                SharedDataPlane.ref(),
                own.with(new RestSettings.Queries(own.maxRows(), own.aggregates(), plan))
                        .with(new RestSettings.Transactions(Optional.ofNullable(preRequest), end)));
        return this;
    }

    public RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    public RestCall askOther(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, other, request);
    }

    public void asOwner(String sql) {
        SharedDataPlane.PROJECTS.asOwner(tenant, sql);
    }

    /** Evaluates an expression, in which {@code $} stands for the schema and a dot. */
    public String stored(String expression) {
        return SharedDataPlane.PROJECTS.ask(
                "SELECT " + expression.replace("$", tenant.names().schemaName() + "."));
    }

    public String schema() {
        return tenant.names().schemaName();
    }
}
